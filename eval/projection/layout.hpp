#pragma once

#include <Eigen/Core>

namespace stad {

/// N x 2 in the plane, column by column: whole rows of pairs are computed at a time.
using Layout = Eigen::Array<double, Eigen::Dynamic, 2>;

/// Moves the middle to zero.
inline void centre(Layout& layout) { layout.rowwise() -= layout.colwise().mean().eval(); }

}  // namespace stad
