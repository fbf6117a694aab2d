#include <stad/eval/prototype_geometry.hpp>

#include "base/check.hpp"
#include "math/angles.hpp"
#include "math/eigen.hpp"
#include "math/unit_rows.hpp"

namespace stad {
namespace {

constexpr double kNoLength = 1e-12;  // relative length of a sum of unit rows below which they cancel up to rounding

}  // namespace

Matrix class_centres(MatrixView features, std::span<const std::int64_t> labels, Index classes) {
  STAD_CHECK(static_cast<Index>(labels.size()) == features.rows && as_eigen(features).allFinite());
  const auto unit = unit_rows<double>(features);
  DoubleRows sums = DoubleRows::Zero(classes, features.cols);
  Eigen::ArrayXd counts = Eigen::ArrayXd::Zero(classes);
  for (Index n = 0; n < unit.rows.rows(); ++n) {
    const auto label = labels[static_cast<std::size_t>(unit.directed[static_cast<std::size_t>(n)])];
    STAD_CHECK(label >= 0 && label < classes);
    sums.row(label) += unit.rows.row(n);
    ++counts[label];
  }
  for (Index k = 0; k < classes; ++k) {
    const double length = sums.row(k).norm();
    if (length > kNoLength * counts[k])
      sums.row(k) /= length;
    else
      sums.row(k).setZero();
  }
  return to_matrix(sums);
}

std::optional<double> mean_angle(MatrixView a, MatrixView b) {
  double sum = 0;
  Index rows = 0;
  for (const auto& angle : row_angles(a, b)) {
    if (!angle) continue;
    sum += *angle;
    ++rows;
  }
  if (rows == 0) return std::nullopt;
  return sum / static_cast<double>(rows);
}

std::optional<double> dispersion(MatrixView prototypes) { return mean_pairwise_angle(prototypes); }

}  // namespace stad
