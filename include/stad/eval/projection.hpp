#pragma once

#include <cstdint>

#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// How tsne() lays out its points.
struct TsneSettings {
  static constexpr Index kMinimumPoints = 4;
  static constexpr Index kMaximumPoints = 1000;  ///< all pairs are held and visited in every iteration

  double perplexity = 30;  ///< how many neighbours a point attends to: from 1 to (N - 1) / 3
  Index iterations = 750;  ///< the first 250 exaggerate what is near, so fewer do not settle
  std::uint64_t seed = 0;
};

/// Points in the plane whose neighbours are those of the given rows: exact t-SNE (van der Maaten and Hinton 2008), from
/// the two main axes. N x 2, centred. The same points and settings give the same bits on any number of threads.
/// Costs N^2 (D + iterations).
STAD_API Result<Matrix> tsne(MatrixView points, const TsneSettings& settings = {});

}  // namespace stad
