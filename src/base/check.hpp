#pragma once

#include <stdexcept>
#include <string>

namespace stad {

/// A broken precondition is a bug of ours, never of the input: say where and unwind.
#define STAD_CHECK(condition)                                                                            \
  do {                                                                                                   \
    if (!(condition)) throw std::logic_error(std::string(__FILE__) + ": broken promise: " + #condition); \
  } while (false)

}  // namespace stad
