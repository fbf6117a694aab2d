#pragma once

#include <cstddef>

namespace stad::testing {

/// Moves every block that operator new returns from here on by so many bytes past a multiple of 64: 0, 16, 32 or 48.
/// Blocks of a requested alignment above 16 stay on it.
void shift_allocations(std::size_t bytes);

}  // namespace stad::testing
