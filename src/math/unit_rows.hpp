#pragma once

#include <span>
#include <vector>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

#include "math/eigen.hpp"

namespace stad {

/// Nonzero rows scaled to unit length, and their positions in the input.
template <typename Scalar>
struct UnitRows {
  Rows<Scalar> rows;            ///< n x D, n <= N
  std::vector<Index> directed;  ///< n positions in the input, ascending
};

/// Subtracts `center` (D values, or empty for none) and scales every row to unit length. Omits rows that are zero then.
/// For float and double.
template <typename Scalar>
STAD_API UnitRows<Scalar> unit_rows(MatrixView rows, std::span<const float> center = {});

/// The same into an existing result, whose memory is reused.
template <typename Scalar>
void unit_rows(MatrixView rows, std::span<const float> center, UnitRows<Scalar>& out);

/// The same into memory of the caller with as many rows as the input. Returns the number of rows written.
template <typename Scalar>
Index unit_rows(MatrixView rows, std::span<const float> center, RowsMap<Scalar> unit, std::span<Index> directed);

/// One row. Returns false and leaves `unit` undefined if the row is zero.
template <typename Scalar>
bool unit_row(std::span<const float> row, std::span<const float> center, std::span<Scalar> unit);

}  // namespace stad
