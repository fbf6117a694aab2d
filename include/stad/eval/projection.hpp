#pragma once

#include <cstdint>

#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// Settings of tsne().
struct TsneSettings {
  static constexpr Index kMinimumPoints = 4;
  static constexpr Index kMaximumPoints = 1000;  ///< memory and time of an iteration are quadratic

  double perplexity = 30;  ///< effective number of neighbours, from 1 to (N - 1) / 3
  Index iterations = 750;  ///< the first 250 use early exaggeration, so that fewer do not converge
  std::uint64_t seed = 0;
};

/// Exact t-SNE (van der Maaten and Hinton 2008), initialised with the two principal components. N x 2, centred. The
/// same points and settings give the same bits on any number of threads. Costs N^2 (D + iterations).
STAD_API Result<Matrix> tsne(MatrixView points, const TsneSettings& settings = {});

}  // namespace stad
