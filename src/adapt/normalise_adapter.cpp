#include "adapt/normalise_adapter.hpp"

#include <cmath>

#include "adapt/answer.hpp"
#include "adapt/state_tensors.hpp"
#include "base/try.hpp"
#include "data/source_logits.hpp"

namespace stad {
namespace {

constexpr double kMemoryRows = 500;      // of the running mean and variance
constexpr double kSourceRows = 100;      // that the statistics of the source are worth
constexpr double kLeastVariance = 1e-6;  // added to both variances of a ratio
constexpr double kLeastScale = 0.2;      // bounds of the scale of a dimension
constexpr double kMostScale = 5;

Eigen::VectorXd to_vector(std::span<const float> values) { return as_array(values).cast<double>(); }

}  // namespace

NormaliseAdapter::NormaliseAdapter(SourceModel source, const NormaliseOptions& options)
    : Adapter(std::move(source)),
      options_(options),
      source_mean_(standardises() ? to_vector(this->source().mean()) : mean_logits(this->source())),
      mean_sum_(kSourceRows * source_mean_),
      square_sum_(kSourceRows * (standardises() ? to_vector(this->source().card().variance) : Eigen::VectorXd())),
      weight_(kSourceRows) {}

Status NormaliseAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  Scratch scratch;
  const DoubleRowsMap rows = rows_of(batch.features, scratch);
  add(rows);
  answer_rows(rows, answer);
  return {};
}

void NormaliseAdapter::adapt_logits(const DoubleRowsMap& logits, Predictions& answer) {
  Scratch scratch;
  auto rows = take_rows<double>(scratch, logits.rows(), logits.cols());
  rows = logits;
  add(rows);
  answer_rows(rows, answer);
}

Status NormaliseAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  Scratch scratch;
  answer_rows(rows_of(batch.features, scratch), answer);
  return {};
}

DoubleRowsMap NormaliseAdapter::rows_of(MatrixView features, Scratch& scratch) const {
  auto rows = take_rows<double>(scratch, features.rows, source_mean_.size());
  if (standardises())
    rows = as_eigen(features).cast<double>();
  else
    source_logits(source(), features, rows);
  return rows;
}

void NormaliseAdapter::add(const DoubleRowsMap& rows) {
  const double keep = std::exp(-static_cast<double>(rows.rows()) / kMemoryRows);
  mean_sum_ *= keep;
  weight_ = keep * weight_ + static_cast<double>(rows.rows());
  for (Index n = 0; n < rows.rows(); ++n) mean_sum_ += rows.row(n).transpose();
  if (!standardises()) return;
  square_sum_ *= keep;
  for (Index n = 0; n < rows.rows(); ++n)
    square_sum_.array() += (rows.row(n).transpose() - mean_sum_ / weight_).array().square();
}

void NormaliseAdapter::answer_rows(DoubleRowsMap rows, Predictions& answer) const {
  Scratch scratch;
  auto shift = take_vector(scratch, source_mean_.size());
  if (!standardises()) {
    shift = (options_.kind == NormaliseKind::kHalf ? 0.5 : 1) * (source_mean_ - mean_sum_ / weight_);
    for (Index n = 0; n < rows.rows(); ++n) rows.row(n) += shift.transpose();
    return serve(rows, answer);
  }
  auto scale = take_vector(scratch, source_mean_.size());
  scale = ((as_array(std::span(source().card().variance)).cast<double>() + kLeastVariance) /
           (square_sum_.array() / weight_ + kLeastVariance))
              .sqrt()
              .max(kLeastScale)
              .min(kMostScale);
  shift = source_mean_ - (mean_sum_ / weight_).cwiseProduct(scale);
  auto moved = take_rows<float>(scratch, rows.rows(), rows.cols());
  for (Index n = 0; n < rows.rows(); ++n)
    moved.row(n) = (rows.row(n).transpose().cwiseProduct(scale) + shift).cast<float>().transpose();
  const auto logits = take_rows<double>(scratch, rows.rows(), source().classes());
  source_logits(source(), {moved.data(), moved.rows(), moved.cols()}, logits);
  serve(logits, answer);
}

std::vector<Tensor> NormaliseAdapter::save() const {
  const auto values = [](const Eigen::VectorXd& v) { return std::vector<double>(v.begin(), v.end()); };
  return {to_tensor("mean_sum", values(mean_sum_)), to_tensor("square_sum", values(square_sum_)),
          to_tensor("weight", std::vector<double>{weight_})};
}

Status NormaliseAdapter::load(const AdapterState& state) {
  constexpr double kMost = 1e40;  // logits of the largest features, times a million rows
  STAD_TRY(check_tensor_count(state, 3));
  STAD_ASSIGN(const auto means, read_doubles(state, "mean_sum", mean_sum_.size(), -kMost, kMost));
  STAD_ASSIGN(const auto squares, read_doubles(state, "square_sum", square_sum_.size(), 0, kMost));
  STAD_ASSIGN(const auto weight, read_doubles(state, "weight", 1, 1e-3, kMost));
  mean_sum_ = as_array(std::span(means)).matrix();
  square_sum_ = as_array(std::span(squares)).matrix();
  weight_ = weight.front();
  return {};
}

}  // namespace stad
