#include "adapt/lame_adapter.hpp"

#include <cmath>

#include "adapt/answer.hpp"
#include "data/source_logits.hpp"
#include "math/nearest_rows.hpp"
#include "math/scratch_rows.hpp"
#include "math/softmax.hpp"
#include "math/unit_rows.hpp"

namespace stad {
namespace {

/// logits = -u + A Y: adds the assignments of the neighbours to every row.
void add_neighbours(const DoubleRowsMap& negative_unary, std::span<const Index> nearest, Index count,
                    const DoubleRowsMap& y, DoubleRowsMap logits) {
  for (Index i = 0; i < y.rows(); ++i) {
    auto row = logits.row(i);
    row = negative_unary.row(i);
    for (Index j = 0; j < count; ++j) row += y.row(nearest[i * count + j]);
  }
}

/// log(p_source + 1e-10) of the nonzero rows, gathered in place: their positions only decrease.
void negative_unary_of(const SourceModel& source, MatrixView features, std::span<const Index> directed,
                       DoubleRowsMap logits, DoubleRowsMap negative_unary, VectorMap log_sums) {
  constexpr double kFloor = 1e-10;
  source_logits(source, features, logits);
  for (Index i = 0; i < negative_unary.rows(); ++i)
    if (directed[i] != i) logits.row(i) = logits.row(directed[i]);
  softmax_rows(DoubleRowsMap(logits.data(), negative_unary.rows(), logits.cols()), negative_unary, log_sums);
  Eigen::Map<Eigen::ArrayXd> all(negative_unary.data(), negative_unary.size());
  all = (all + kFloor).log();
}

/// Iterates Y = softmax(logits) with logits = -u + A Y_before until the energy converges. log Y = logits - log Z, so
/// the energy E = sum(u Y - (A Y_before) Y + Y log Y) of an iteration is -sum log Z, which the softmax returns.
void minimise_energy(DoubleRowsMap negative_unary, std::span<const Index> nearest, Index count, DoubleRowsMap y,
                     DoubleRowsMap logits, VectorMap log_sums) {
  constexpr int kMostIterations = 100;
  constexpr double kTolerance = 1e-8;
  softmax_rows(negative_unary, y, log_sums);
  double energy_before = 0;
  for (int i = 1; i <= kMostIterations; ++i) {
    add_neighbours(negative_unary, nearest, count, y, logits);
    softmax_rows(logits, y, log_sums);
    const double energy = -log_sums.sum();
    if (i > 2 && std::abs(energy - energy_before) <= kTolerance * std::abs(energy_before)) break;
    energy_before = energy;
  }
}

}  // namespace

Status LameAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  const MatrixView features = batch.features;
  const Index classes = source().classes();

  Scratch scratch;
  const auto unit = take_rows<double>(scratch, features.rows, features.cols);
  auto directed = scratch.take<Index>(features.rows);
  const Index rows = unit_rows<double>(features, {}, unit, directed);
  directed = directed.first(static_cast<std::size_t>(rows));
  const Index count = neighbours_of_each(rows, options_.neighbours);
  const auto nearest = scratch.take<Index>(rows * count);
  auto all_logits = take_rows<double>(scratch, features.rows, classes);
  const DoubleRowsMap logits(all_logits.data(), rows, classes);
  const auto negative_unary = take_rows<double>(scratch, rows, classes);
  const auto y = take_rows<double>(scratch, rows, classes);
  const auto log_sums = take_vector(scratch, rows);

  nearest_rows({unit.data(), rows, features.cols, features.cols}, count, nearest);
  negative_unary_of(source(), features, directed, all_logits, negative_unary, log_sums);
  minimise_energy(negative_unary, nearest, count, y, logits, log_sums);
  serve(logits, directed, features.rows, answer);
  return {};
}

}  // namespace stad
