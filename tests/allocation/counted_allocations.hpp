#pragma once

#include <cstddef>

namespace stad::testing {

/// Number of allocations of all threads by operator new and, without a sanitizer, by malloc and its variants.
std::size_t allocations();

/// Bytes in use of the heap; zero with a sanitizer.
std::size_t live_bytes();

}  // namespace stad::testing
