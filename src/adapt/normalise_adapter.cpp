#include "adapt/normalise_adapter.hpp"

#include <cmath>

#include "adapt/answer.hpp"
#include "adapt/state_tensors.hpp"
#include "base/try.hpp"
#include "data/source_logits.hpp"
#include "math/wide_products.hpp"

namespace stad {
namespace {

constexpr double kMemoryRows = 500;      // of the running mean and variance
constexpr double kSourceRows = 100;      // that the statistics of the source are worth
constexpr double kLeastVariance = 1e-6;  // added to both variances of a ratio
constexpr double kLeastScale = 0.2;      // bounds of the scale of a dimension
constexpr double kMostScale = 5;

template <typename Scalar>
Eigen::VectorXd to_vector(std::span<const Scalar> values) {
  return as_array(values).template cast<double>();
}

}  // namespace

NormaliseAdapter::NormaliseAdapter(SourceModel source, const NormaliseOptions& options)
    : Adapter(std::move(source)),
      options_(options),
      mean_sum_(kSourceRows * to_vector(this->source().mean())),
      square_sum_(kSourceRows * to_vector(std::span(this->source().card().variance))),
      weight_(kSourceRows) {}

Status NormaliseAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  add(batch.features);
  return predict_checked(batch, answer);
}

void NormaliseAdapter::add(MatrixView features) {
  const double keep = std::exp(-static_cast<double>(features.rows) / kMemoryRows);
  mean_sum_ *= keep;
  weight_ = keep * weight_ + static_cast<double>(features.rows);
  const auto rows = as_eigen(features);
  for (Index n = 0; n < features.rows; ++n) mean_sum_ += rows.row(n).cast<double>().transpose();
  if (options_.kind != NormaliseKind::kStandardise) return;
  square_sum_ *= keep;
  for (Index n = 0; n < features.rows; ++n)
    square_sum_.array() += (rows.row(n).cast<double>().transpose() - mean_sum_ / weight_).array().square();
}

Status NormaliseAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  Scratch scratch;
  const auto logits = take_rows<double>(scratch, batch.features.rows, source().classes());
  if (options_.kind == NormaliseKind::kStandardise)
    write_standardised(batch.features, logits);
  else
    write_recentred(batch.features, options_.kind == NormaliseKind::kHalf ? 0.5 : 1, logits);
  serve(logits, answer);
  return {};
}

void NormaliseAdapter::write_recentred(MatrixView features, double share, DoubleRowsMap logits) const {
  source_logits(source(), features, logits);
  Scratch scratch;
  auto shift = take_rows<double>(scratch, 1, source().dimension());
  shift = share * (as_array(source().mean()).cast<double>() - mean_sum_.array() / weight_).matrix().transpose();
  const auto product = take_rows<double>(scratch, 1, source().classes());
  wide_products(rows_view(source().weight()), RowsView<double>(shift.data(), 1, shift.cols(), shift.cols()),
                DoubleRowsMap(product.data(), product.cols(), 1));
  logits.rowwise() += product.row(0);
}

void NormaliseAdapter::write_standardised(MatrixView features, DoubleRowsMap logits) const {
  Scratch scratch;
  auto mean = take_vector(scratch, features.cols);
  auto scale = take_vector(scratch, features.cols);
  mean = mean_sum_ / weight_;
  const auto target = as_array(std::span(source().card().variance)).cast<double>();
  scale = ((target + kLeastVariance) / (square_sum_.array() / weight_ + kLeastVariance)).sqrt();
  scale = scale.cwiseMax(kLeastScale).cwiseMin(kMostScale);
  auto moved = take_rows<float>(scratch, features.rows, features.cols);
  for (Index n = 0; n < features.rows; ++n)
    moved.row(n) = ((as_eigen(features).row(n).cast<double>().transpose() - mean).cwiseProduct(scale).array() +
                    as_array(source().mean()).cast<double>())
                       .cast<float>()
                       .transpose();
  source_logits(source(), {moved.data(), moved.rows(), moved.cols()}, logits);
}

std::vector<Tensor> NormaliseAdapter::save() const {
  const auto values = [](const Eigen::VectorXd& v) { return std::vector<double>(v.begin(), v.end()); };
  return {to_tensor("mean_sum", values(mean_sum_)), to_tensor("square_sum", values(square_sum_)),
          to_tensor("weight", std::vector<double>{weight_})};
}

Status NormaliseAdapter::load(const AdapterState& state) {
  constexpr double kMost = 1e36;  // squares of the largest features, times a million rows
  STAD_TRY(check_tensor_count(state, 3));
  STAD_ASSIGN(const auto means, read_doubles(state, "mean_sum", mean_sum_.size(), -kMost, kMost));
  STAD_ASSIGN(const auto squares, read_doubles(state, "square_sum", square_sum_.size(), 0, kMost));
  STAD_ASSIGN(const auto weight, read_doubles(state, "weight", 1, 1e-3, kMost));
  mean_sum_ = to_vector(std::span(means));
  square_sum_ = to_vector(std::span(squares));
  weight_ = weight.front();
  return {};
}

}  // namespace stad
