#include <cmath>

#include <fmt/format.h>

#include <stad/eval/projection.hpp>

#include "base/try.hpp"
#include "projection/affinities.hpp"
#include "projection/layout.hpp"

namespace stad {
namespace {

constexpr Index kMostIterations = 100'000;

Status check_points(MatrixView points) {
  constexpr Index kLeast = TsneSettings::kMinimumPoints, kMost = TsneSettings::kMaximumPoints;
  if (points.rows < kLeast || points.rows > kMost)
    return invalid(fmt::format("tsne: {} points, must be from {} to {}", points.rows, kLeast, kMost));
  if (points.cols < 1) return invalid(fmt::format("tsne: points have {} dimensions, must be at least 1", points.cols));
  for (Index n = 0; n < points.rows; ++n)
    for (const float x : points.row(n))
      if (!std::isfinite(x)) return invalid(fmt::format("tsne: point {} has the value {}, must be finite", n, x));
  return {};
}

Status check_tsne_settings(const TsneSettings& settings, Index points) {
  const double most = static_cast<double>(points - 1) / 3;
  if (!(settings.perplexity >= 1 && settings.perplexity <= most))
    return invalid(
        fmt::format("tsne: perplexity = {}, must be from 1 to {:.6g}, which is (points - 1) / 3 for {} points",
                    settings.perplexity, most, points));
  if (settings.iterations < 1 || settings.iterations > kMostIterations)
    return invalid(fmt::format("tsne: iterations = {}, must be a whole number from 1 to {}", settings.iterations,
                               kMostIterations));
  return {};
}

DoubleRows centred(MatrixView points) {
  DoubleRows rows = as_eigen(points).cast<double>();
  rows.rowwise() -= rows.colwise().mean().eval();
  return rows;
}

}  // namespace

Result<Matrix> tsne(MatrixView points, const TsneSettings& settings) {
  STAD_TRY(check_points(points));
  STAD_TRY(check_tsne_settings(settings, points.rows));
  const DoubleRows rows = centred(points);
  const DoubleRows affinities = joint_affinities(conditional_affinities(squared_distances(rows), settings.perplexity));
  const Layout layout = descend(affinities, principal_layout(rows, settings.seed), settings.iterations);
  return to_matrix<double>(layout.matrix());
}

}  // namespace stad
