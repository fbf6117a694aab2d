#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

// Where prototypes lie on the sphere. Rows are scaled to unit length here; a row of zeros has no direction. Every
// value must be finite.

namespace stad {

/// K x D: the direction of the mean of each class's unit rows. A class that is absent, or whose rows cancel, gets a
/// row of zeros.
/// @param features N x D
/// @param labels   N labels within [0, classes)
STAD_API Matrix class_centres(MatrixView features, std::span<const std::int64_t> labels, Index classes);

/// Mean angle in degrees between row k of a and row k of b. Rows of zeros on either side are left out; none if no row is
/// left.
STAD_API std::optional<double> mean_angle(MatrixView a, MatrixView b);

/// Degrees between two rows, the mean over all pairs with directions; none for fewer than two such rows. The
/// dispersion of Ming et al. (2022, CIDER) averages the cosines of the pairs, while the paper states degrees: here
/// the angles themselves are averaged. That is the arccosine of the mean cosine only where all pairs are equally far
/// apart, and differs from it by less the narrower their spread. Costs K^2 D.
STAD_API std::optional<double> dispersion(MatrixView prototypes);

}  // namespace stad
