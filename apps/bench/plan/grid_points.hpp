#pragma once

#include <string>
#include <vector>

#include <stad/options.hpp>

#include "bench/plan/method_spec.hpp"

namespace stad::cli::bench {

struct GridPoint {
  std::string choice;  ///< "supports = 20"
  OptionValues options;
};

/// The entry's options; with a grid, every point of it after the method's defaults, which need no labels to choose.
std::vector<GridPoint> grid_points(const MethodSpec& method);

}  // namespace stad::cli::bench
