#include "safe/head_correction.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/source_logits.hpp"
#include "math/inner_product.hpp"
#include "math/row_products.hpp"
#include "math/wide_products.hpp"

namespace stad::safe {
namespace {

constexpr double kLeastScale = 1e-12;  // of rows that all equal the mean

std::span<const double* const> addresses(const DoubleRowsMap& rows, Scratch& scratch) {
  const auto list = scratch.take<const double*>(rows.rows());
  for (Index n = 0; n < rows.rows(); ++n) list[static_cast<std::size_t>(n)] = rows.data() + n * rows.cols();
  return list;
}

/// out = weights rows, with sums in an order that depends on the sizes alone.
void multiply(const DoubleRowsMap& weights, const DoubleRowsMap& rows, DoubleRowsMap out) {
  Scratch scratch;
  const auto targets = scratch.take<double*>(out.rows());
  for (Index n = 0; n < out.rows(); ++n) targets[static_cast<std::size_t>(n)] = out.data() + n * out.cols();
  weighted_sums<double>(addresses(weights, scratch), addresses(rows, scratch), rows.cols(), targets);
}

/// Largest absolute row sum, a bound of the largest eigenvalue.
double largest_row_sum(const DoubleRowsMap& matrix) {
  double largest = 0;
  for (Index n = 0; n < matrix.rows(); ++n) {
    double sum = 0;
    for (Index m = 0; m < matrix.cols(); ++m) sum += std::abs(matrix(n, m));
    largest = std::max(largest, sum);
  }
  return largest;
}

/// Replaces logits by softmax minus the one-hot label: the gradient of the log-loss.
void to_gradient(std::span<const Index> labels, DoubleRowsMap logits) {
  for (Index n = 0; n < logits.rows(); ++n) {
    const std::span<double> row(logits.data() + n * logits.cols(), static_cast<std::size_t>(logits.cols()));
    const double largest = *std::ranges::max_element(row);
    for (double& value : row) value = std::exp(value - largest);
    const double sum = sum_of(std::span<const double>(row));
    for (double& value : row) value /= sum;
    row[static_cast<std::size_t>(labels[static_cast<std::size_t>(n)])] -= 1;
  }
}

}  // namespace

HeadCorrection::HeadCorrection(const SourceModel& source, const CorrectionParams& params)
    : source_(source),
      params_(params),
      state_{.rows = {params.rows, source.dimension()},
             .labels = std::vector<Index>(static_cast<std::size_t>(params.rows), 0),
             .dual = DoubleRows::Zero(params.rows, source.classes())} {}

void HeadCorrection::add(std::span<const float> features, Index label) {
  const Index place = state_.rows.next();
  Scratch scratch;
  const auto centred = scratch.take<float>(source_.dimension());
  std::ranges::copy(features, centred.begin());
  if (source_.has_mean()) as_array(centred) -= as_array(source_.mean());
  state_.rows.add(centred);
  state_.labels[static_cast<std::size_t>(place)] = label;
  state_.dual.row(place).setZero();
}

DoubleRowsMap HeadCorrection::kernel(MatrixView features, Scratch& scratch) const {
  const RowsView<float> labelled(state_.rows.rows().data(), state_.rows.count(), source_.dimension(),
                                 source_.dimension());
  auto products = take_rows<double>(scratch, features.rows, labelled.rows);
  wide_products(rows_view(features), labelled, products);
  if (source_.has_mean()) {
    auto offsets = take_rows<double>(scratch, 1, labelled.rows);
    wide_products(RowsView<float>(source_.mean().data(), 1, source_.dimension(), source_.dimension()), labelled,
                  offsets);
    for (Index n = 0; n < products.rows(); ++n) products.row(n) -= offsets;
  }
  products.array() = products.array() / state_.scale + 1;
  return products;
}

/// W h + b of the labelled rows at the temperature of the card.
DoubleRowsMap HeadCorrection::labelled_logits(Scratch& scratch) const {
  const Index rows = state_.rows.count();
  const Index dimension = source_.dimension();
  auto features = take_rows<float>(scratch, rows, dimension);
  features = state_.rows.rows().topRows(rows);
  if (source_.has_mean())
    for (Index n = 0; n < rows; ++n) features.row(n).array() += as_array(source_.mean()).transpose();
  auto logits = take_rows<double>(scratch, rows, source_.classes());
  source_logits(source_, {features.data(), rows, dimension}, logits);
  logits /= source_.card().temperature.value_or(1);
  return logits;
}

/// Gradient descent with Nesterov's momentum on the dual variables, from those of the last fit.
void HeadCorrection::fit() {
  const Index rows = state_.rows.count();
  if (rows == 0) return;
  Scratch scratch;
  double squares = 0;
  for (Index n = 0; n < rows; ++n)
    squares += inner_product(row_of(state_.rows.rows(), n), row_of(state_.rows.rows(), n));
  state_.scale = std::max(squares / static_cast<double>(rows), kLeastScale);

  const DoubleRowsMap offset = labelled_logits(scratch);
  auto products = take_rows<double>(scratch, rows, rows);
  const RowsView<float> labelled(state_.rows.rows().data(), rows, source_.dimension(), source_.dimension());
  wide_products(labelled, labelled, products);
  products.array() = products.array() / state_.scale + 1;
  const double step = 1 / (params_.ridge + 0.5 * largest_row_sum(products));

  auto dual = take_rows<double>(scratch, rows, source_.classes());
  auto ahead = take_rows<double>(scratch, rows, source_.classes());
  auto gradient = take_rows<double>(scratch, rows, source_.classes());
  dual = state_.dual.topRows(rows);
  ahead = dual;
  double momentum = 1;
  for (int i = 0; i < params_.steps; ++i) {
    multiply(products, ahead, gradient);
    gradient += offset;
    to_gradient({state_.labels.data(), static_cast<std::size_t>(rows)}, gradient);
    gradient = ahead - step * (gradient + params_.ridge * ahead);  // the next dual variables
    const double next = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    ahead = gradient + (momentum - 1) / next * (gradient - dual);
    dual = gradient;
    momentum = next;
  }
  state_.dual.topRows(rows) = dual;
  update_primal();
}

void HeadCorrection::update_primal() {
  const Index rows = state_.rows.count();
  const Index classes = source_.classes();
  const Index dimension = source_.dimension();
  primal_.resize(0, 0);
  if (rows == 0 || classes * dimension > rows * (dimension + classes)) return;
  DoubleRows weights = DoubleRows::Zero(classes, dimension);
  primal_bias_ = Eigen::VectorXd::Zero(classes);
  for (Index k = 0; k < classes; ++k)
    for (Index n = 0; n < rows; ++n) {
      weights.row(k) += state_.dual(n, k) / state_.scale * state_.rows.rows().row(n).cast<double>();
      primal_bias_[k] += state_.dual(n, k);
    }
  primal_ = weights.cast<float>();
  if (!primal_.allFinite()) primal_.resize(0, 0);  // of features near the end of the range of float
  if (primal_.size() == 0 || !source_.has_mean()) return;
  for (Index k = 0; k < classes; ++k)
    primal_bias_[k] -= inner_product(source_.mean(), row_of(std::as_const(primal_), k));
}

void HeadCorrection::restore(State state) {
  state_ = std::move(state);
  update_primal();
}

void HeadCorrection::apply(MatrixView features, DoubleRowsMap logits) const {
  if (state_.rows.count() == 0) return;
  primal_.size() > 0 ? apply_primal(features, logits) : apply_dual(features, logits);
}

void HeadCorrection::apply_primal(MatrixView features, DoubleRowsMap logits) const {
  Scratch scratch;
  auto correction = take_rows<double>(scratch, logits.rows(), logits.cols());
  wide_products(rows_view(features), RowsView<float>(primal_), correction);
  for (Index n = 0; n < logits.rows(); ++n) logits.row(n) += correction.row(n) + primal_bias_.transpose();
}

void HeadCorrection::apply_dual(MatrixView features, DoubleRowsMap logits) const {
  Scratch scratch;
  const DoubleRowsMap weights = kernel(features, scratch);
  auto dual = take_rows<double>(scratch, state_.rows.count(), source_.classes());
  dual = state_.dual.topRows(state_.rows.count());
  auto correction = take_rows<double>(scratch, logits.rows(), logits.cols());
  multiply(weights, dual, correction);
  logits += correction;
}

}  // namespace stad::safe
