#include "base/random.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace stad {

double Random::uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

double Random::normal() {
  // Box-Muller without the second value of the pair, so that there is no state besides the engine.
  const double radius = std::sqrt(-2 * std::log1p(-uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::uint64_t Random::below(std::uint64_t exclusive) {
  const std::uint64_t limit = std::numeric_limits<std::uint64_t>::max() / exclusive * exclusive;
  for (;;)
    if (const std::uint64_t drawn = engine_(); drawn < limit) return drawn % exclusive;
}

}  // namespace stad
