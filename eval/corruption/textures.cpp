#include "corruption/textures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace stad::corruption {
namespace {

/// The height map of the diamond-square algorithm, refined scale by scale.
class DiamondSquare {
 public:
  DiamondSquare(Index side, Random& random) : random_(random), heights_(side, side) {}

  void refine(Index step, float roughness) {
    const Index half = step / 2;
    const Index side = heights_.height;
    for (Index y = half; y < side; y += step)
      for (Index x = half; x < side; x += step)
        heights_(y, x) =
            mean(y - half, x - half, y - half, x + half, y + half, x - half, y + half, x + half) + shift(roughness);
    for (Index y = 0; y < side; y += half)
      for (Index x = (y + half) % step; x < side; x += step)
        heights_(y, x) = mean(y - half, x, y + half, x, y, x - half, y, x + half) + shift(roughness);
  }

  /// The heights scaled to [0, 1].
  Plane finished() && {
    const auto [least, most] = std::ranges::minmax(heights_.values);
    for (float& value : heights_.values) value = (value - least) / (most - least);
    return std::move(heights_);
  }

 private:
  float at(Index y, Index x) const {
    const Index side = heights_.height;
    return heights_((y + side) % side, (x + side) % side);
  }
  float mean(Index y0, Index x0, Index y1, Index x1, Index y2, Index x2, Index y3, Index x3) const {
    return (at(y0, x0) + at(y1, x1) + at(y2, x2) + at(y3, x3)) / 4;
  }
  float shift(float roughness) { return roughness * static_cast<float>(2 * random_.uniform() - 1); }

  Random& random_;
  Plane heights_;
};

}  // namespace

Plane plasma(Index side, double decay, Random& random) {
  DiamondSquare clouds(side, random);
  double roughness = 1;
  for (Index step = side; step >= 2; step /= 2, roughness /= decay * decay)
    clouds.refine(step, static_cast<float>(roughness));
  return std::move(clouds).finished();
}

namespace {

constexpr double kBranching = std::numbers::pi / 3;  // 60 degrees: ice crystals are hexagonal
constexpr int kGenerations = 3;

struct Needle {
  double y;
  double x;
  double angle;
  double length;
  double thickness;
};

/// Draws branching needles on a periodic plane.
class NeedleGrowth {
 public:
  NeedleGrowth(Index side, Random& random) : random_(random), ice_(side, side) {}

  void grow(Needle needle, int generation) {
    const double bend = 0.02 * random_.normal();
    const double spacing = 2.5 + 2 * random_.uniform();
    double until_branch = spacing;
    const auto steps = static_cast<Index>(std::ceil(2 * needle.length));
    for (Index step = 0; step < steps; ++step) {
      const double left = 1 - 0.5 * static_cast<double>(step) / needle.length;
      deposit(needle.y, needle.x, needle.thickness * left);
      needle.angle += 0.5 * bend;
      needle.y += 0.5 * std::sin(needle.angle);
      needle.x += 0.5 * std::cos(needle.angle);
      until_branch -= 0.5;
      if (until_branch > 0 || generation == 0) continue;
      until_branch = spacing;
      branch(needle, left, generation);
    }
  }

  Plane ice() && { return std::move(ice_); }

 private:
  /// Adds two side needles, whose length decreases along the stem.
  void branch(const Needle& stem, double left, int generation) {
    for (const double turn : {-kBranching, kBranching}) {
      Needle side = stem;
      side.angle += turn + 0.1 * random_.normal();
      side.length = stem.length * 0.4 * left * (0.5 + random_.uniform());
      side.thickness = stem.thickness * 0.7 * left;
      grow(side, generation - 1);
    }
  }

  /// Adds an amount to the four pixels around a position, with bilinear weights.
  void deposit(double y, double x, double amount) {
    const double top = std::floor(y);
    const double start = std::floor(x);
    const auto down = static_cast<float>(y - top);
    const auto right = static_cast<float>(x - start);
    const auto whole = static_cast<float>(amount);
    const auto add = [&](Index row, Index column, float part) {
      const Index mask = ice_.height - 1;
      ice_(row & mask, column & mask) += whole * part;
    };
    const auto row = static_cast<Index>(top);
    const auto column = static_cast<Index>(start);
    add(row, column, (1 - down) * (1 - right));
    add(row, column + 1, (1 - down) * right);
    add(row + 1, column, down * (1 - right));
    add(row + 1, column + 1, down * right);
  }

  Random& random_;
  Plane ice_;
};

}  // namespace

Plane ice_flowers(Index side, Random& random) {
  NeedleGrowth growth(side, random);
  const auto extent = static_cast<double>(side);
  for (Index flower = 0; flower < side * side / 420; ++flower)
    growth.grow({extent * random.uniform(), extent * random.uniform(), 2 * std::numbers::pi * random.uniform(),
                 25 + 50 * random.uniform(), 0.3 + 0.4 * random.uniform()},
                kGenerations - 1);
  Plane ice = std::move(growth).ice();
  const Plane coat = plasma(side, 1.35, random);
  for (std::size_t i = 0; i < ice.values.size(); ++i)
    ice.values[i] = 1 - std::exp(-(ice.values[i] + coat.values[i] * coat.values[i]));
  return ice;
}

namespace {

constexpr Index kTextureSide = 256;
constexpr std::size_t kTextures = 5;

/// Textures do not depend on the seed, because the published set uses five photographs for all images.
const Plane& frost_texture(std::size_t which) {
  static const auto textures = [] {
    std::array<Plane, kTextures> all;
    for (std::size_t i = 0; i < kTextures; ++i) {
      Random random(i);
      all[i] = ice_flowers(kTextureSide, random);
    }
    return all;
  }();
  return textures[which];
}

/// Thin ice is blue, thick ice white.
float tinted(float ice, std::size_t channel) {
  constexpr float kThin[] = {.05F, .12F, .22F};
  constexpr float kThick[] = {.93F, .97F, 1};
  return kThin[channel] + ice * (kThick[channel] - kThin[channel]);
}

}  // namespace

Image frost_crop(Index channels, Index height, Index width, Random& random) {
  const Plane& ice = frost_texture(random.below(kTextures));
  const auto top = static_cast<Index>(random.below(kTextureSide));
  const auto left = static_cast<Index>(random.below(kTextureSide));
  Image crop(static_cast<std::size_t>(channels), Plane(height, width));
  for (std::size_t channel = 0; channel < crop.size(); ++channel)
    for (Index y = 0; y < height; ++y)
      for (Index x = 0; x < width; ++x)
        crop[channel](y, x) =
            tinted(ice((top + y) % kTextureSide, (left + x) % kTextureSide), channels == 1 ? 1 : channel);
  return crop;
}

}  // namespace stad::corruption
