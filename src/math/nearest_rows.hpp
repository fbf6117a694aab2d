#pragma once

#include <span>
#include <vector>

#include "math/eigen.hpp"
#include "math/wide_products.hpp"

namespace stad {

/// Number of neighbours of each row: `count`, or rows - 1 if that is less.
Index neighbours_of_each(Index rows, Index count);

/// For every unit row the `count` other rows with the largest inner product, nearest first, ties by index.
/// n x neighbours_of_each(n, count), flattened.
void nearest_rows(RowsView<double> unit, Index count, std::span<Index> nearest);
std::vector<Index> nearest_rows(const DoubleRows& unit, Index count);

}  // namespace stad
