#pragma once

#include <stdexcept>
#include <string>

namespace stad {

/// Throws std::logic_error if a precondition is broken, which is a bug of the library and never of the input.
#define STAD_CHECK(condition)                                                                                 \
  do {                                                                                                        \
    if (!(condition)) throw std::logic_error(std::string(__FILE__) + ": broken precondition: " + #condition); \
  } while (false)

}  // namespace stad
