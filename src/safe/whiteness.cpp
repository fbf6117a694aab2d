#include "safe/whiteness.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "math/inner_product.hpp"
#include "math/row_products.hpp"
#include "math/wide_products.hpp"

namespace stad::safe {
namespace {

/// Probabilities below it are left out of expectations: even of 10,000 classes they change a residual by one percent of
/// the distance between two class means at most.
constexpr float kNegligible = 1e-6F;

std::span<const double> values_of(const RecentRows<double>& ring) {
  return {ring.rows().data(), static_cast<std::size_t>(ring.count())};
}

template <typename Value>
std::span<Value* const> row_addresses(Value* first, Index rows, Index cols, Scratch& scratch) {
  const auto addresses = scratch.take<Value*>(rows);
  for (Index r = 0; r < rows; ++r) addresses[r] = first + r * cols;
  return addresses;
}

/// The sums over rows begin with the feature mean as some rows of every class.
void begin_means(const SourceModel& source, double mean_rows, WhitenessTest::State& state) {
  const Index classes = source.classes();
  state.mean_weights = Eigen::VectorXd::Constant(classes, mean_rows);
  state.mean_sums = FloatRows::Zero(classes, classes);
  if (!source.has_mean()) return;
  DoubleRows product(1, classes);
  wide_products(RowsView<float>(source.mean().data(), 1, source.dimension(), source.dimension()),
                rows_view(source.weight()), DoubleRowsMap(product.data(), 1, classes));
  state.mean_sums.rowwise() += (mean_rows * product.row(0)).cast<float>();
}

}  // namespace

WhitenessTest::WhitenessTest(const SourceModel& source, const Params& params)
    : source_(source),
      params_(params),
      state_{.residuals = {params.centre_rows, source.classes()},
             .products = {params.autocorrelation_rows, 1},
             .squares = {params.autocorrelation_rows, 1},
             .residual_sum = Eigen::VectorXd::Zero(source.classes()),
             .last = {},
             .mean_sums = {},
             .mean_weights = {}} {
  if (estimates_means()) begin_means(source, params.mean_prior_rows, state_);
}

void WhitenessTest::add(const DoubleRowsMap& logits, const FloatRowsMap& probabilities, Index first) {
  Scratch scratch;
  auto products = take_rows<double>(scratch, logits.rows(), logits.cols());
  products = logits;
  if (source_.has_bias())
    for (Index n = 0; n < products.rows(); ++n)
      products.row(n).array() -= as_array(source_.bias()).cast<double>().transpose();
  if (estimates_means() && first < params_.mean_rows) add_to_means(products, probabilities);
  auto residuals = take_rows<float>(scratch, logits.rows(), logits.cols());
  expected_products(probabilities, residuals);
  residuals = products.cast<float>() - residuals;
  for (Index n = 0; n < residuals.rows(); ++n) {
    const auto row = row_of(residuals, n);
    as_array(row) -= static_cast<float>(sum_of(std::span<const float>(row)) / static_cast<double>(row.size()));
    add_residual(row);
  }
}

void WhitenessTest::add_to_means(const DoubleRowsMap& products, const FloatRowsMap& probabilities) {
  for (Index n = 0; n < products.rows(); ++n)
    for (Index k = 0; k < products.cols(); ++k) {
      const float p = probabilities(n, k);
      state_.mean_weights[k] += p;
      if (p >= kNegligible) state_.mean_sums.row(k) += p * products.row(n).cast<float>();
    }
}

void WhitenessTest::expected_products(const FloatRowsMap& probabilities, FloatRowsMap expected) const {
  const Index classes = probabilities.cols();
  Scratch scratch;
  auto weights = take_rows<float>(scratch, probabilities.rows(), classes);
  weights = (probabilities.array() < kNegligible).select(0.0F, probabilities);
  if (estimates_means())
    for (Index n = 0; n < weights.rows(); ++n)
      weights.row(n).array() *= state_.mean_weights.cwiseInverse().cast<float>().transpose().array();
  const float* const means = estimates_means() ? state_.mean_sums.data() : source_.mean_products().data();
  const auto mean_rows = row_addresses(means, classes, classes, scratch);
  const auto weight_rows = row_addresses(std::as_const(weights).data(), weights.rows(), classes, scratch);
  const auto out_rows = row_addresses(expected.data(), expected.rows(), classes, scratch);
  parallel_for_runs(weights.rows(), classes * classes, [&](Index first, Index length) {
    weighted_sums<float>(weight_rows.subspan(first, length), mean_rows, classes, out_rows.subspan(first, length));
  });
}

void WhitenessTest::add_residual(std::span<const float> residual) {
  auto& [residuals, products, squares, sum, last, mean_sums, mean_weights] = state_;
  Scratch scratch;
  const auto centred = scratch.take<float>(static_cast<Index>(residual.size()));
  as_array(centred) = as_array(residual);
  if (residuals.count() > 0) as_array(centred) -= (sum / static_cast<double>(residuals.count())).cast<float>().array();

  const double product = last.size() > 0 ? inner_product(centred, {last.data(), centred.size()}) : 0;
  const double square = inner_product(centred, centred);
  products.add({&product, 1});
  squares.add({&square, 1});
  last = as_array(std::span<const float>(centred)).matrix();

  if (residuals.is_full()) sum -= residuals.rows().row(residuals.next()).transpose().cast<double>();
  residuals.add(residual);
  sum += as_array(residual).cast<double>().matrix();
  // Recomputed once a round, so that rounding does not accumulate.
  if (residuals.next() == 0) sum = residuals.rows().cast<double>().colwise().sum().transpose();
}

double WhitenessTest::autocorrelation() const {
  constexpr double kLeastSquares = 1e-12;
  return sum_of(values_of(state_.products)) / std::max(sum_of(values_of(state_.squares)), kLeastSquares);
}

}  // namespace stad::safe
