#include "math/angles.hpp"

#include <cmath>
#include <numbers>

#include "base/check.hpp"
#include "base/parallel.hpp"
#include "math/eigen.hpp"
#include "math/unit_rows.hpp"

namespace stad {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

/// Angle between unit rows. The arccosine loses half the digits for small angles; the two diagonals of the rhombus keep
/// them (Kahan 2006, "How futile are mindless assessments of roundoff").
template <typename Left, typename Right>
double degrees_between(const Left& u, const Right& v) {
  return kDegrees * 2 * std::atan2((u - v).norm(), (u + v).norm());
}

}  // namespace

std::vector<std::optional<double>> row_angles(MatrixView a, MatrixView b) {
  STAD_CHECK(a.rows == b.rows && a.cols == b.cols);
  STAD_CHECK(as_eigen(a).allFinite() && as_eigen(b).allFinite());
  std::vector<std::optional<double>> angles(static_cast<std::size_t>(a.rows));
  for (Index k = 0; k < a.rows; ++k) {
    const auto u = unit_rows<double>(a.rows_from(k, 1)), v = unit_rows<double>(b.rows_from(k, 1));
    if (!u.directed.empty() && !v.directed.empty()) angles[k] = degrees_between(u.rows.row(0), v.rows.row(0));
  }
  return angles;
}

std::optional<double> mean_pairwise_angle(MatrixView rows) {
  STAD_CHECK(as_eigen(rows).allFinite());
  const DoubleRows unit = unit_rows<double>(rows).rows;
  const Index n = unit.rows();
  if (n < 2) return std::nullopt;
  Eigen::ArrayXd sums = Eigen::ArrayXd::Zero(n);  // row i: sum of the angles to later rows
  parallel_for_runs(n, unit.size(), [&](Index first, Index length) {
    for (Index i = first; i < first + length; ++i)
      for (Index j = i + 1; j < n; ++j) sums[i] += degrees_between(unit.row(i), unit.row(j));
  });
  return sums.sum() / (static_cast<double>(n) * static_cast<double>(n - 1) / 2);
}

}  // namespace stad
