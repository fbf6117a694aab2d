#include "corruption/frost_texture.hpp"

#include <array>

#include "corruption/ice_flowers.hpp"

namespace stad::corruption {
namespace {

constexpr Index kSide = 256;
constexpr std::size_t kWindows = 5;

/// Windows are the same for every seed, as the published set has five photographs for all images.
const Plane& window(std::size_t which) {
  static const auto windows = [] {
    std::array<Plane, kWindows> all;
    for (std::size_t i = 0; i < kWindows; ++i) {
      Random random(i);
      all[i] = ice_flowers(kSide, random);
    }
    return all;
  }();
  return windows[which];
}

/// Thin ice is blue, thick ice white.
float tinted(float ice, std::size_t channel) {
  constexpr float kThin[] = {.05F, .12F, .22F};
  constexpr float kThick[] = {.93F, .97F, 1};
  return kThin[channel] + ice * (kThick[channel] - kThin[channel]);
}

}  // namespace

Image frost_crop(Index channels, Index height, Index width, Random& random) {
  const Plane& ice = window(random.below(kWindows));
  const auto top = static_cast<Index>(random.below(kSide));
  const auto left = static_cast<Index>(random.below(kSide));
  Image crop(static_cast<std::size_t>(channels), Plane(height, width));
  for (std::size_t channel = 0; channel < crop.size(); ++channel)
    for (Index y = 0; y < height; ++y)
      for (Index x = 0; x < width; ++x)
        crop[channel](y, x) = tinted(ice((top + y) % kSide, (left + x) % kSide), channels == 1 ? 1 : channel);
  return crop;
}

}  // namespace stad::corruption
