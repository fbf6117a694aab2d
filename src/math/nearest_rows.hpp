#pragma once

#include <vector>

#include "math/eigen.hpp"

namespace stad {

/// For every unit row the `count` other rows with the largest inner product, nearest first, ties by index; fewer
/// where there are fewer. n x min(count, n - 1), flattened.
std::vector<Index> nearest_rows(const DoubleRows& unit, Index count);

}  // namespace stad
