#pragma once

#include <vector>

#include <stad/matrix.hpp>

namespace stad {

/// For every unit row the `count` other rows with the largest inner product, nearest first, ties by index; fewer
/// where there are fewer. n x min(count, n - 1), flattened.
std::vector<Index> nearest_rows(const Matrix& unit, Index count);

}  // namespace stad
