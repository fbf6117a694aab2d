#include "simulate/world.hpp"

#include <cmath>
#include <numbers>

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
  if (drift == Drift::kAbrupt) return in_second_half(step, steps) ? 1 : 0;
  return 0;
}

void append(World::Centres& rows, const World::Centres& more) {
  rows.conservativeResize(rows.rows() + more.rows(), Eigen::NoChange);
  rows.bottomRows(more.rows()) = more;
}

}  // namespace

World::World(const SimulationSettings& settings) : settings_(settings) {
  if (settings.scattered) signal_.emplace(settings);
  Random random(settings.seed);
  common_ = unit_row(random, settings.dimension).cwiseAbs();
  directions_ = class_directions(random, settings.classes);
  course_ = draw_course(random);
  if (settings.unknown_class) append(directions_, class_directions(random, 1));
}

World::Centres World::class_directions(Random& random, Index rows) const {
  const Centres anywhere = unit_rows(random, rows, settings_.dimension);
  return signal_ ? signal_->inside(anywhere) : anywhere;
}

World::Course World::draw_course(Random& random) const {
  Course course;
  course.away = class_directions(random, settings_.classes);
  course.shift = unit_row(random, settings_.dimension);
  if (settings_.unknown_class) append(course.away, class_directions(random, 1));
  return course;
}

World::Centres World::placed(double moved, const Course& course) const {
  const Centres turned = (directions_ + moved * kReach * course.away).rowwise().normalized();
  return (kClassLength * turned).rowwise() + (kCommonLength * common_ + moved * kShiftLength * course.shift);
}

World::Centres World::before_drift() const { return placed(0, course_); }

World::Centres World::at_step(Index step) const {
  if (settings_.drift == Drift::kRapid) {
    // Its own numbers for every step, apart from those of the world and the samples.
    Random random(settings_.seed + 0x9e3779b97f4a7c15 * static_cast<std::uint64_t>(step + 1));
    return placed(settings_.strength, draw_course(random));
  }
  return placed(settings_.strength * progress(settings_.drift, step, settings_.steps), course_);
}

void World::draw(Random& random, const RowVectorXd& centre, std::span<float> row) const {
  RowVectorXd noise(settings_.dimension);
  for (auto& x : noise) x = random.normal();
  if (signal_) signal_->scatter(noise);
  for (std::size_t d = 0; d < row.size(); ++d) {
    const auto i = static_cast<Index>(d);
    row[d] = static_cast<float>(centre[i] + settings_.noise * noise[i]);
  }
}

}  // namespace stad
