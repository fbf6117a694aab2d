#pragma once

#include <span>
#include <vector>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

#include "math/eigen.hpp"

namespace stad {

/// The rows that have a direction, scaled to unit length, and where they came from.
template <typename Scalar>
struct UnitRows {
  Rows<Scalar> rows;            ///< n x D, n <= N
  std::vector<Index> directed;  ///< n positions in the input, ascending
};

/// Subtracts `center` (D values, or empty for none) and scales every row to unit length. A row that is zero then has
/// no direction and is left out. For float and double.
template <typename Scalar>
STAD_API UnitRows<Scalar> unit_rows(MatrixView rows, std::span<const float> center = {});

/// The same into memory that is used again.
template <typename Scalar>
void unit_rows(MatrixView rows, std::span<const float> center, UnitRows<Scalar>& out);

/// The same into memory of the caller's, of as many rows as there are; returns how many have a direction.
template <typename Scalar>
Index unit_rows(MatrixView rows, std::span<const float> center, RowsMap<Scalar> unit, std::span<Index> directed);

/// One row; false, and `unit` undefined, if it has no direction.
template <typename Scalar>
bool unit_row(std::span<const float> row, std::span<const float> center, std::span<Scalar> unit);

}  // namespace stad
