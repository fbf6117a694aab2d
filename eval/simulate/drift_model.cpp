#include "simulate/drift_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.hpp"

namespace stad {
namespace {

// Standard deviation relative to the noise inside the subspace. Chosen so that, with the default settings, a fitted
// head is correct on about 90 % of the rows while the mean of a window of rows has no useful direction.
constexpr double kNuisance = 4;

/// Enough dimensions to separate the classes, and few compared to the nuisance dimensions.
Index space_dimension(const SimulationSettings& settings) { return std::min(settings.classes, settings.dimension / 4); }

}  // namespace

SignalSpace::SignalSpace(const SimulationSettings& settings)
    : directions_(space_dimension(settings), settings.dimension) {
  // Independent of the generator of DriftModel.
  Random random(settings.seed ^ 0x7369676e616c);
  for (Index s = 0; s < directions_.rows(); ++s) {
    auto row = directions_.row(s);
    for (auto& x : row) x = random.normal();
    const auto earlier = directions_.topRows(s);
    // Orthogonalises twice, because rounding leaves a remainder after one pass.
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

namespace {

using Eigen::RowVectorXd;

// Lengths in units of the default noise. Chosen so that, with the default settings, the accuracy of a fitted head is
// near 95 % before and near 75 % after a progressive drift.
constexpr double kCommonLength = 4;
constexpr double kClassLength = 3.5;
constexpr double kReach = 1.2;        // tangent of the largest rotation at strength 1
constexpr double kShiftLength = 1.2;  // of the common shift at strength 1
constexpr double kWaves = 2;          // periods of a recurring drift

RowVectorXd unit_row(Random& random, Index dimension) {
  RowVectorXd row(dimension);
  for (auto& x : row) x = random.normal();
  return row / row.norm();
}

DriftModel::Centres unit_rows(Random& random, Index rows, Index dimension) {
  DriftModel::Centres result(rows, dimension);
  for (Index k = 0; k < rows; ++k) result.row(k) = unit_row(random, dimension);
  return result;
}

/// Fraction of a lasting drift that is reached at a step, from 0 to 1.
double drift_progress(Drift drift, Index step, Index steps) {
  const double share = steps > 1 ? static_cast<double>(step) / static_cast<double>(steps - 1) : 0;
  if (drift == Drift::kProgressive) return share;
  if (drift == Drift::kRecurring) return (1 - std::cos(2 * std::numbers::pi * kWaves * share)) / 2;
  if (drift == Drift::kAbrupt) return in_second_half(step, steps) ? 1 : 0;
  return 0;
}

void append(DriftModel::Centres& rows, const DriftModel::Centres& more) {
  rows.conservativeResize(rows.rows() + more.rows(), Eigen::NoChange);
  rows.bottomRows(more.rows()) = more;
}

}  // namespace

DriftModel::DriftModel(const SimulationSettings& settings) : settings_(settings) {
  if (settings.scattered) signal_.emplace(settings);
  Random random(settings.seed);
  common_ = unit_row(random, settings.dimension).cwiseAbs();
  directions_ = class_directions(random, settings.classes);
  drift_ = draw_directions(random);
  if (settings.unknown_class) append(directions_, class_directions(random, 1));
}

DriftModel::Centres DriftModel::class_directions(Random& random, Index rows) const {
  const Centres anywhere = unit_rows(random, rows, settings_.dimension);
  return signal_ ? signal_->inside(anywhere) : anywhere;
}

DriftModel::DriftDirections DriftModel::draw_directions(Random& random) const {
  DriftDirections drift;
  drift.away = class_directions(random, settings_.classes);
  drift.shift = unit_row(random, settings_.dimension);
  if (settings_.unknown_class) append(drift.away, class_directions(random, 1));
  return drift;
}

DriftModel::Centres DriftModel::moved_centres(double moved, const DriftDirections& drift) const {
  const Centres turned = (directions_ + moved * kReach * drift.away).rowwise().normalized();
  return (kClassLength * turned).rowwise() + (kCommonLength * common_ + moved * kShiftLength * drift.shift);
}

DriftModel::Centres DriftModel::before_drift() const { return moved_centres(0, drift_); }

DriftModel::Centres DriftModel::at_step(Index step) const {
  if (settings_.drift == Drift::kRapid) {
    // A generator for every step, independent of those of the classes and the samples.
    Random random(settings_.seed + 0x9e3779b97f4a7c15 * static_cast<std::uint64_t>(step + 1));
    return moved_centres(settings_.strength, draw_directions(random));
  }
  return moved_centres(settings_.strength * drift_progress(settings_.drift, step, settings_.steps), drift_);
}

void DriftModel::draw(Random& random, const RowVectorXd& centre, std::span<float> row) const {
  RowVectorXd noise(settings_.dimension);
  for (auto& x : noise) x = random.normal();
  if (signal_) signal_->scatter(noise);
  for (std::size_t d = 0; d < row.size(); ++d) {
    const auto i = static_cast<Index>(d);
    row[d] = static_cast<float>(centre[i] + settings_.noise * noise[i]);
  }
}

}  // namespace stad
