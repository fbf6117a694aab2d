#include "corruption/ice_flowers.hpp"

#include <cmath>
#include <numbers>

#include "corruption/plasma.hpp"

namespace stad::corruption {
namespace {

constexpr double kBranching = std::numbers::pi / 3;  // ice is hexagonal
constexpr int kGenerations = 3;

struct Needle {
  double y;
  double x;
  double angle;
  double length;
  double thickness;
};

/// Grows needles over a plane whose opposite edges meet.
class Growth {
 public:
  Growth(Index side, Random& random) : random_(random), ice_(side, side) {}

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
  /// Side needles are longest in the middle of their stem, as on a fern.
  void branch(const Needle& stem, double left, int generation) {
    for (const double turn : {-kBranching, kBranching}) {
      Needle side = stem;
      side.angle += turn + 0.1 * random_.normal();
      side.length = stem.length * 0.4 * left * (0.5 + random_.uniform());
      side.thickness = stem.thickness * 0.7 * left;
      grow(side, generation - 1);
    }
  }

  /// Shared out among the four pixels around the place.
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
  Growth growth(side, random);
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

}  // namespace stad::corruption
