#pragma once

#include <cstddef>

namespace stad::testing {

/// How many blocks of memory this program has asked for, by any thread and in any way it can see: operator new, and
/// malloc and its relatives where no sanitizer has taken them.
std::size_t allocations();

/// Bytes in use of the heap; zero where a sanitizer has taken it.
std::size_t live_bytes();

}  // namespace stad::testing
