#pragma once

#include <cstdint>

#include "math/eigen.hpp"
#include "projection/layout.hpp"

namespace stad {

/// The rows along their two main axes, small (the first column has standard deviation 1e-4) so that the descent begins
/// with the large forces, and shaken by a hundredth of that so that equal rows can part. A start that knows the data
/// keeps the global arrangement, which a random one loses (Kobak and Linderman 2021).
Layout principal_layout(const DoubleRows& centred, std::uint64_t seed);

}  // namespace stad
