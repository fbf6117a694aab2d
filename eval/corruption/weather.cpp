#include "corruption/corruption.hpp"

#include <algorithm>
#include <bit>

#include "corruption/filters.hpp"
#include "corruption/textures.hpp"

namespace stad::corruption {
namespace {

struct Snowfall {
  double mean;
  double deviation;
  double zoom;
  double least;  ///< threshold below which a pixel is not a flake
  Index radius;
  double smear;
  double scene;  ///< weight of the original scene
};

constexpr Snowfall kSnowfalls[kSeverities] = {{.1, .2, 1, .6, 8, 3, .95},
                                              {.1, .2, 1, .5, 10, 4, .9},
                                              {.15, .3, 1.75, .55, 10, 4, .9},
                                              {.25, .3, 2.25, .6, 12, 6, .85},
                                              {.3, .3, 1.25, .65, 14, 12, .8}};

struct FrostWeights {
  float scene;
  float frost;
};

struct FogParams {
  float strength;
  double decay;
};

Plane flakes(Index height, Index width, const Snowfall& fall, Random& random) {
  Plane layer(height, width);
  for (float& value : layer.values) value = static_cast<float>(fall.mean + fall.deviation * random.normal());
  layer = zoomed(layer, fall.zoom);
  for (float& value : layer.values) value = static_cast<double>(value) < fall.least ? 0 : level_below(value);
  return motion_blur(layer, fall.radius, fall.smear, -135 + 90 * random.uniform());
}

/// Luma by ITU-R BT.601.
Plane grey(const Image& image) {
  if (image.size() == 1) return image[0];
  Plane result(image[0].height, image[0].width);
  for (std::size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = .299F * image[0].values[i] + .587F * image[1].values[i] + .114F * image[2].values[i];
  return result;
}

}  // namespace

void snow(Image& image, int severity, Random& random) {
  const Snowfall fall = at_severity(kSnowfalls, severity);
  const Plane layer = flakes(image[0].height, image[0].width, fall, random);
  const Plane shade = grey(image);
  const auto kept = static_cast<float>(fall.scene);
  const std::size_t last = layer.values.size() - 1;
  for (auto& plane : image)
    for (std::size_t i = 0; i <= last; ++i) {
      const float value = plane.values[i];
      const float whitened = std::max(value, 1.5F * shade.values[i] + .5F);
      // Adds the layer a second time, rotated by 180 degrees, for flakes at two depths.
      plane.values[i] = kept * value + (1 - kept) * whitened + layer.values[i] + layer.values[last - i];
    }
}

void frost(Image& image, int severity, Random& random) {
  const auto weights = at_severity<FrostWeights>({{1, .2F}, {1, .3F}, {.9F, .4F}, {.85F, .4F}, {.75F, .45F}}, severity);
  const Image texture = frost_crop(static_cast<Index>(image.size()), image[0].height, image[0].width, random);
  for (std::size_t channel = 0; channel < image.size(); ++channel)
    for (std::size_t i = 0; i < image[channel].values.size(); ++i) {
      float& value = image[channel].values[i];
      value = weights.scene * value + weights.frost * texture[channel].values[i];
    }
}

void fog(Image& image, int severity, Random& random) {
  const auto density = at_severity<FogParams>({{.2F, 3}, {.5F, 3}, {.75F, 2.5}, {1, 2}, {1.5F, 1.75}}, severity);
  const auto longest = static_cast<std::size_t>(std::max(image[0].height, image[0].width));
  const Plane clouds = plasma(static_cast<Index>(std::bit_ceil(longest)), density.decay, random);
  float brightest = 0;
  for (const auto& plane : image) brightest = std::max(brightest, std::ranges::max(plane.values));
  const float shrink = brightest / (brightest + density.strength);  // keeps the maximum, so that fog does not saturate
  for (auto& plane : image)
    for (Index y = 0; y < plane.height; ++y)
      for (Index x = 0; x < plane.width; ++x) plane(y, x) = (plane(y, x) + density.strength * clouds(y, x)) * shrink;
}

void brightness(Image& image, int severity, Random&) {
  const float increase = at_severity({.05F, .1F, .15F, .2F, .3F}, severity);
  for (std::size_t i = 0; i < image[0].values.size(); ++i) {
    float value = 0;  // V of HSV; at a given hue and saturation the channels are proportional to it
    for (const auto& plane : image) value = std::max(value, plane.values[i]);
    const float raised = std::min(value + increase, 1.0F);
    for (auto& plane : image) plane.values[i] = value > 0 ? plane.values[i] * (raised / value) : raised;
  }
}

}  // namespace stad::corruption
