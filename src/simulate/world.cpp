#include "simulate/world.hpp"

#include <cmath>
#include <numbers>

#include "base/random.hpp"

namespace stad {
namespace {

using Eigen::RowVectorXd;

// In units of the default noise. Chosen so that, with the default settings, a fitted head starts near 95 % and ends a
// progressive drift near 75 %.
constexpr double kCommonLength = 4;
constexpr double kClassLength = 3.5;
constexpr double kReach = 1.2;        // tangent of the largest angle at strength 1
constexpr double kShiftLength = 1.2;  // of the common shift at strength 1
constexpr double kWaves = 2;          // times a recurring drift goes away and comes back

RowVectorXd unit_row(Random& random, Index dimension) {
  RowVectorXd row(dimension);
  for (auto& x : row) x = random.normal();
  return row / row.norm();
}

World::Centres unit_rows(Random& random, Index rows, Index dimension) {
  World::Centres result(rows, dimension);
  for (Index k = 0; k < rows; ++k) result.row(k) = unit_row(random, dimension);
  return result;
}

/// How far along its way a lasting drift is, from 0 to 1.
double progress(Drift drift, Index step, Index steps) {
  const double share = steps > 1 ? static_cast<double>(step) / static_cast<double>(steps - 1) : 0;
  if (drift == Drift::kProgressive) return share;
  if (drift == Drift::kRecurring) return (1 - std::cos(2 * std::numbers::pi * kWaves * share)) / 2;
  return 0;
}

}  // namespace

World::World(const SimulationSettings& settings) : settings_(settings) {
  Random random(settings.seed);
  common_ = unit_row(random, settings.dimension).cwiseAbs();
  directions_ = unit_rows(random, settings.classes, settings.dimension);
  away_ = unit_rows(random, settings.classes, settings.dimension);
  shift_ = unit_row(random, settings.dimension);
}

World::Centres World::placed(double reach, const Centres& away, const RowVectorXd& shift) const {
  const Centres turned = (directions_ + reach * away).rowwise().normalized();
  return (kClassLength * turned).rowwise() + (kCommonLength * common_ + shift);
}

World::Centres World::before_drift() const { return placed(0, away_, RowVectorXd::Zero(settings_.dimension)); }

World::Centres World::at_step(Index step) const {
  if (settings_.drift == Drift::kRapid) {
    // Its own numbers for every step, apart from those of the world and the samples.
    Random random(settings_.seed + 0x9e3779b97f4a7c15 * static_cast<std::uint64_t>(step + 1));
    const Centres away = unit_rows(random, settings_.classes, settings_.dimension);
    const RowVectorXd shift = unit_row(random, settings_.dimension);
    return placed(settings_.strength * kReach, away, settings_.strength * kShiftLength * shift);
  }
  const double moved = settings_.strength * progress(settings_.drift, step, settings_.steps);
  return placed(moved * kReach, away_, moved * kShiftLength * shift_);
}

}  // namespace stad
