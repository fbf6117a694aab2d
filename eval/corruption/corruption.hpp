#pragma once

#include <string_view>

#include <stad/error.hpp>

#include "base/random.hpp"
#include "corruption/image.hpp"

namespace stad::corruption {

/// One of the fifteen: its name, and what it does to an image at a severity.
struct Corruption {
  std::string_view name;
  void (*apply)(Image& image, int severity, Random& random);
};

Result<Corruption> corruption_named(std::string_view name);

}  // namespace stad::corruption
