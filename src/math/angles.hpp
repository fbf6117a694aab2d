#pragma once

#include <optional>
#include <vector>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// Degrees between row k of a and row k of b; none where either is a row of zeros. Every value must be finite.
STAD_API std::vector<std::optional<double>> row_angles(MatrixView a, MatrixView b);

/// Mean angle in degrees over all pairs of nonzero rows; none for fewer than two such rows. Costs K^2 D.
STAD_API std::optional<double> mean_pairwise_angle(MatrixView rows);

}  // namespace stad
