#include "corruption/corruption.hpp"

#include <stad/eval/corruption.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "corruption/blurs.hpp"
#include "corruption/digital.hpp"
#include "corruption/noise.hpp"
#include "corruption/weather.hpp"

namespace stad {
namespace corruption {
namespace {

// The order of the published set.
constexpr std::array kCorruptions{Corruption{"gaussian_noise", gaussian_noise},
                                  Corruption{"shot_noise", shot_noise},
                                  Corruption{"impulse_noise", impulse_noise},
                                  Corruption{"defocus_blur", defocus_blur},
                                  Corruption{"glass_blur", glass_blur},
                                  Corruption{"motion_blur", motion_blur},
                                  Corruption{"zoom_blur", zoom_blur},
                                  Corruption{"snow", snow},
                                  Corruption{"frost", frost},
                                  Corruption{"fog", fog},
                                  Corruption{"brightness", brightness},
                                  Corruption{"contrast", contrast},
                                  Corruption{"elastic_transform", elastic_transform},
                                  Corruption{"pixelate", pixelate},
                                  Corruption{"jpeg_compression", jpeg_compression}};

constexpr auto kNames = [] {
  std::array<std::string_view, kCorruptions.size()> names;
  std::ranges::transform(kCorruptions, names.begin(), &Corruption::name);
  return names;
}();

}  // namespace

Result<Corruption> corruption_named(std::string_view name) {
  const auto found = std::ranges::find(kCorruptions, name, &Corruption::name);
  if (found != kCorruptions.end()) return *found;
  return invalid(fmt::format("corruption = {}, must be one of {}", name, fmt::join(kNames, ", ")));
}

}  // namespace corruption

std::span<const std::string_view> corruptions() { return corruption::kNames; }

}  // namespace stad
