#include "simulate/signal_space.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace stad {
namespace {

// Against the noise inside the space. Chosen so that, with the default settings, a fitted head is right in about 90 %
// of the rows while the means of as many rows as a window holds point anywhere.
constexpr double kNuisance = 4;

/// As many as the classes need to lie apart, and few beside those that only disturb.
Index space_dimension(const SimulationSettings& settings) { return std::min(settings.classes, settings.dimension / 4); }

}  // namespace

SignalSpace::SignalSpace(const SimulationSettings& settings)
    : directions_(space_dimension(settings), settings.dimension) {
  // Apart from the world's own numbers.
  Random random(settings.seed ^ 0x7369676e616c);
  for (Index s = 0; s < directions_.rows(); ++s) {
    auto row = directions_.row(s);
    for (auto& x : row) x = random.normal();
    const auto earlier = directions_.topRows(s);
    // Twice, as once leaves what rounding left.
    for (int pass = 0; pass < 2; ++pass) row -= (row * earlier.transpose() * earlier).eval();
    row.normalize();
  }
}

DoubleRows SignalSpace::inside(const DoubleRows& rows) const {
  return (rows * directions_.transpose() * directions_).rowwise().normalized();
}

void SignalSpace::scatter(Eigen::RowVectorXd& noise) const {
  const Eigen::RowVectorXd kept = noise * directions_.transpose() * directions_;
  noise = kept + kNuisance * (noise - kept);
}

}  // namespace stad
