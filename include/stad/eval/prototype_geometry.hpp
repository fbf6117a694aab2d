#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

// Angles between prototypes. Rows are scaled to unit length; zero rows have no direction. All values must be finite.

namespace stad {

/// K x D: normalised mean of the unit rows of each class. Zero for a class without rows or whose rows cancel.
/// @param features N x D
/// @param labels   N labels within [0, classes)
STAD_API Matrix class_centres(MatrixView features, std::span<const std::int64_t> labels, Index classes);

/// Mean angle in degrees between row k of a and row k of b. Zero rows are skipped; none if no row
/// remains.
STAD_API std::optional<double> mean_angle(MatrixView a, MatrixView b);

/// Mean angle in degrees over all pairs of nonzero rows; none for fewer than two such rows. The dispersion of Ming et
/// al. (2022, CIDER) averages cosines, while the paper states degrees; this averages the angles. The two agree if all
/// pairs have the same angle, and differ more the wider the angles spread. Costs K^2 D.
STAD_API std::optional<double> dispersion(MatrixView prototypes);

}  // namespace stad
