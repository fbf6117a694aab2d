#include "gaussian/mixture.hpp"

#include <algorithm>

#include "math/product.hpp"

namespace stad::gaussian {
namespace {

constexpr Index kSamplesAtOnce = 128;

using ArrayMap = Eigen::Map<Eigen::ArrayXd>;

ArrayMap take_array(Scratch& scratch, Index size) { return {scratch.take<double>(size).data(), size}; }

/// Samples in the basis of T, one a row, so that what is done for a coordinate is done for all samples at once.
struct Samples {
  MatrixMap residuals;  ///< Q^T L^-1 (h_n - mu^-), then mu_n^+ - mu^-; n x D
  ArrayMap lambda;
  ArrayMap alpha;  ///< lambda over the class's mass

  Index count() const { return residuals.rows(); }
};

/// With T = diag(d): mu_n^+ - mu^- = lambda d / (1 + lambda d) residual, and Sigma_n^+ = d / (1 + lambda d), of which
/// the alpha-weighted sum joins the diagonal of `covariance`.
void solve_diagonal(const Tridiagonal& reduced, Samples& samples, MatrixMap& covariance) {
  Scratch scratch;
  auto variance = take_array(scratch, samples.count());
  for (Index i = 0; i < reduced.size(); ++i) {
    const double d = std::max(0.0, reduced.diagonal[i]);
    variance = d / (1 + samples.lambda * d);
    samples.residuals.col(i).array() *= samples.lambda * variance;
    covariance(i, i) += (samples.alpha * variance).sum();
  }
}

/// I + lambda T = (I + E) diag(p) (I + E)^T for every sample, E with l_0 .. below the diagonal. T is positive
/// semidefinite, so the pivots p are at least one and nothing is exchanged. n x D
struct Factors {
  MatrixMap pivots;
  MatrixMap below;  ///< l
};

/// (I + lambda T)^-1 lambda T residual, for every sample.
void solve_tridiagonal(const Tridiagonal& reduced, Samples& samples, Factors& factors) {
  const Index size = reduced.size();
  const auto& lambda = samples.lambda;
  Scratch scratch;
  auto before = take_array(scratch, samples.count());  // the residual's last coordinate, as it was
  auto here = take_array(scratch, samples.count());
  for (Index i = 0; i < size; ++i) {
    auto y = samples.residuals.col(i).array();
    auto pivot = factors.pivots.col(i).array();
    const double off = reduced.off_diagonal[i];
    here = y;
    y *= reduced.diagonal[i];
    if (i > 0) y += reduced.off_diagonal[i - 1] * before;
    if (i + 1 < size) y += off * samples.residuals.col(i + 1).array();
    y *= lambda;
    pivot = 1 + lambda * reduced.diagonal[i];
    if (i > 0) {
      const auto l = factors.below.col(i - 1).array();
      pivot -= lambda * reduced.off_diagonal[i - 1] * l;
      y -= l * samples.residuals.col(i - 1).array();
    }
    factors.below.col(i).array() = lambda * off / pivot;
    before = here;
  }
  for (Index i = size; i-- > 0;) {
    auto y = samples.residuals.col(i).array();
    y /= factors.pivots.col(i).array();
    if (i + 1 < size) y -= factors.below.col(i).array() * samples.residuals.col(i + 1).array();
  }
}

/// Adds sum alpha_n (I + lambda_n T)^-1 to the lower part of `resolvent`. A row of such an inverse is a multiple of the
/// row below it, right of the diagonal, so each entry costs one multiplication and one addition.
void add_inverses(const Samples& samples, const Factors& factors, MatrixMap& resolvent) {
  const Index size = resolvent.rows();
  Scratch scratch;
  auto row = take_vector(scratch, size);
  for (Index n = 0; n < samples.count(); ++n)
    for (Index i = size; i-- > 0;) {
      const double l = i + 1 < size ? factors.below(n, i) : 0;
      auto right = row.tail(size - i - 1);
      right *= -l;
      row[i] = samples.alpha[n] / factors.pivots(n, i) - (i + 1 < size ? l * row[i + 1] : 0);
      resolvent.col(i).tail(size - i) += row.tail(size - i);
    }
}

/// covariance += T G
void add_times_tridiagonal(const Tridiagonal& reduced, const MatrixMap& g, MatrixMap& covariance) {
  const Index size = reduced.size();
  const auto off = reduced.off_diagonal.head(size - 1).array();
  for (Index j = 0; j < size; ++j) {
    auto column = covariance.col(j).array();
    column += reduced.diagonal.array() * g.col(j).array();
    column.head(size - 1) += off * g.col(j).tail(size - 1).array();
    column.tail(size - 1) += off * g.col(j).head(size - 1).array();
  }
}

/// Brings the samples of these rows into the basis of T.
void gather(const Tridiagonal& reduced, const ClassSamples& mixture, std::span<const Index> rows, Samples& samples) {
  Scratch scratch;
  auto gathered = take_matrix(scratch, reduced.size(), samples.count());
  for (Index i = 0; i < samples.count(); ++i) {
    samples.lambda[i] = mixture.responsibilities[rows[i]];
    gathered.col(i) = mixture.whitened.col(rows[i]) - mixture.mean;
  }
  samples.alpha = samples.lambda / mixture.mass;
  set_product(samples.residuals, 1, gathered.transpose(), reduced.basis);
}

/// The moments of mu_n^+ - mu^-, not yet about their mean. Uses the samples up.
void add_moments(Samples& samples, MixtureMoments& moments) {
  moments.shift.noalias() += samples.residuals.transpose() * samples.alpha.matrix();
  samples.alpha = samples.alpha.sqrt();
  for (Index i = 0; i < samples.residuals.cols(); ++i) samples.residuals.col(i).array() *= samples.alpha;
  add_product(moments.covariance, 1, samples.residuals.transpose(), samples.residuals, Part::kLower);
}

/// Buffers for a block of samples. Those of the factors and inverses are empty where T is diagonal.
struct Buffers {
  MatrixMap residuals, pivots, below;
  ArrayMap lambda, alpha;
  MatrixMap inverses;  ///< sum alpha_n G_n, on and below the diagonal

  Buffers(Scratch& scratch, Index most, Index size, bool diagonal)
      : residuals(take_matrix(scratch, most, size)),
        pivots(take_matrix(scratch, diagonal ? 0 : most, size)),
        below(take_matrix(scratch, diagonal ? 0 : most, size)),
        lambda(take_array(scratch, most)),
        alpha(take_array(scratch, most)),
        inverses(take_matrix(scratch, diagonal ? 0 : size, size)) {
    inverses.setZero();
  }

  Samples samples(Index count) {
    return {{residuals.data(), count, residuals.cols()}, {lambda.data(), count}, {alpha.data(), count}};
  }
  Factors factors(Index count) { return {{pivots.data(), count, pivots.cols()}, {below.data(), count, below.cols()}}; }
};

/// Replaces the residuals by mu_n^+ - mu^- and adds the covariances Sigma_n^+, or the G_n where T is tridiagonal.
void solve(const Tridiagonal& reduced, bool diagonal, Samples& samples, Buffers& buffers, MatrixMap& covariance) {
  if (diagonal) return solve_diagonal(reduced, samples, covariance);
  Factors factors = buffers.factors(samples.count());
  solve_tridiagonal(reduced, samples, factors);
  add_inverses(samples, factors, buffers.inverses);
}

}  // namespace

// In this basis, with G_n = (I + lambda_n T)^-1 and x_n = Q^T L^-1 (h_n - mu^-):
//   mu_n^+ - mu^- = lambda_n T G_n x_n,   Sigma_n^+ = T G_n
// and T is the same for all samples: sum alpha_n Sigma_n^+ = T sum alpha_n G_n. With few samples it is cheaper to live
// with a tridiagonal T (O(D) a sample for the mean, O(D^2) for G_n) than to find its eigenvalues (O(D^3)).
void mixture_moments(Tridiagonal& reduced, const ClassSamples& mixture, MixtureMoments& moments) {
  constexpr Index kSamplesThatPay = 4;  // a dimension; estimated from what either part takes at 32 to 512 dimensions
  const Index size = reduced.size();
  const auto total = static_cast<Index>(mixture.rows.size());
  const bool diagonal = total > kSamplesThatPay * size;
  if (diagonal) diagonalise(reduced);

  Scratch scratch;
  const Index most = std::min(total, kSamplesAtOnce);
  Buffers buffers(scratch, most, size, diagonal);
  moments.shift.setZero();
  moments.covariance.setZero();
  for (Index first = 0; first < total; first += most) {
    const Index count = std::min(most, total - first);
    Samples samples = buffers.samples(count);
    gather(reduced, mixture, mixture.rows.subspan(static_cast<std::size_t>(first)), samples);
    solve(reduced, diagonal, samples, buffers, moments.covariance);
    add_moments(samples, moments);
  }
  mirror_lower(moments.covariance);
  moments.covariance.noalias() -= moments.shift * moments.shift.transpose();
  if (diagonal) return;
  mirror_lower(buffers.inverses);
  add_times_tridiagonal(reduced, buffers.inverses, moments.covariance);
}

}  // namespace stad::gaussian
