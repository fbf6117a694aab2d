#include "math/positive_definite.hpp"

#include "base/check.hpp"

namespace stad {

PositiveDefinite::PositiveDefinite(const SquareMatrix& symmetric) : factor_(symmetric) {
  STAD_CHECK(symmetric.allFinite());
  const auto size = static_cast<double>(symmetric.rows());
  // The floor keeps the first jitter a normal number: it must grow even where subnormals count as zero.
  const double scale = std::max(symmetric.diagonal().cwiseAbs().sum() / size, 1e-100);
  for (double jitter = 1e-14 * scale; factor_.info() != Eigen::Success; jitter *= 100)
    factor_.compute(symmetric + jitter * SquareMatrix::Identity(symmetric.rows(), symmetric.cols()));
}

bool is_positive_definite(const SquareMatrix& symmetric) {
  return Eigen::LLT<SquareMatrix>(symmetric).info() == Eigen::Success;
}

}  // namespace stad
