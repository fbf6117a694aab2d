#pragma once

#include <cstddef>

namespace stad {

/// Sizes and positions. Signed, so that differences and loops downwards mean what they say.
using Index = std::ptrdiff_t;

}  // namespace stad
