#include "gaussian/e_step.hpp"

#include <memory>

#include "data/evidence.hpp"
#include "gaussian/kalman.hpp"
#include "math/product.hpp"
#include "math/softmax.hpp"

namespace stad::gaussian {
namespace {

std::span<BeliefMap> take_beliefs(Scratch& scratch, Index count, Index dimension) {
  const auto beliefs = scratch.take<BeliefMap>(count);
  for (BeliefMap& belief : beliefs) std::construct_at(&belief, scratch, dimension);
  return beliefs;
}

std::span<MatrixMap> take_matrices(Scratch& scratch, Index count, Index dimension) {
  const auto matrices = scratch.take<MatrixMap>(count);
  for (MatrixMap& matrix : matrices) std::construct_at(&matrix, take_matrix(scratch, dimension, dimension));
  return matrices;
}

}  // namespace

void whiten_rows(const Eigen::Ref<const DoubleRows>& rows, const Cholesky& emission, MatrixMap whitened) {
  whitened = rows.transpose();
  emission.whiten_in_place(whitened);
}

void distance_logits(const MatrixMap& whitened, const DoubleRows& means, const Cholesky& emission,
                     DoubleRowsMap logits) {
  Scratch scratch;
  auto centres = take_matrix(scratch, means.cols(), means.rows());  // D x K
  whiten_rows(means, emission, centres);
  // Column by column of the transpose, K x n, which is the logits' own order.
  MatrixMap transposed(logits.data(), logits.cols(), logits.rows());
  set_product(transposed, 1, centres.transpose(), whitened);
  for (Index k = 0; k < means.rows(); ++k) logits.col(k).array() -= 0.5 * centres.col(k).squaredNorm();
}

void assign(const GaussStep& step, const Cholesky& emission, Assignment& evidence) {
  const Index rows = step.features.rows();
  Scratch scratch;
  auto logits = take_rows<double>(scratch, rows, step.means.rows());
  auto responsibilities = take_rows<double>(scratch, rows, step.means.rows());
  auto log_sums = take_vector(scratch, rows);
  whiten_rows(step.features, emission, evidence.whitened);
  distance_logits(evidence.whitened, step.means, emission, logits);
  for (Index k = 0; k < logits.cols(); ++k) logits.col(k).array() += log_proportion(step.proportions[k]);
  softmax_rows(logits, responsibilities, log_sums);
  evidence.responsibilities = responsibilities;
}

std::optional<Track> track_class(Index k, BeliefMap start, std::span<const Assignment> evidence,
                                 const Cholesky& emission, const GaussParams& params, Scratch& scratch) {
  const auto steps = static_cast<Index>(evidence.size());
  const Index dimension = start.dimension();
  const auto predicted = take_beliefs(scratch, steps, dimension);
  const auto filtered = take_beliefs(scratch, steps, dimension);
  const auto smoothed = take_beliefs(scratch, steps, dimension);
  const auto crossed = take_matrices(scratch, steps, dimension);  // A Sigma^+ of the step before
  for (Index i = 0; i < steps; ++i) {
    predict(i == 0 ? start : filtered[i - 1], params.transition[k], params.transition_noise, crossed[i], predicted[i]);
    if (!within_reach(predicted[i])) return std::nullopt;
    update(predicted[i], emission, evidence[i].whitened, evidence[i].responsibilities.col(k), filtered[i]);
    if (!within_reach(filtered[i])) return std::nullopt;
  }

  smoothed[steps - 1].set(filtered[steps - 1]);
  for (Index i = steps - 1; i-- > 0;) {
    smooth(filtered[i], predicted[i + 1], smoothed[i + 1], crossed[i + 1], smoothed[i]);
    if (!within_reach(smoothed[i])) return std::nullopt;
  }
  return Track{filtered, smoothed, crossed.subspan(1)};
}

}  // namespace stad::gaussian
