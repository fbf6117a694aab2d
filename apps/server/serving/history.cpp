#include "server/serving/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

namespace stad::server {
namespace {

constexpr std::size_t kMostPoints = 48;
constexpr double kFinest = std::numeric_limits<std::uint16_t>::max();
constexpr double kMostMovement = std::numbers::pi;

std::optional<double> mean_of(const std::optional<double>& a, double rows_a, const std::optional<double>& b,
                              double rows_b) {
  if (!a || !b) return a ? a : b;
  return (*a * rows_a + *b * rows_b) / (rows_a + rows_b);
}

float kept(const std::optional<double>& value) {
  return static_cast<float>(value.value_or(std::numeric_limits<double>::quiet_NaN()));
}
std::optional<double> told(float value) {
  return std::isnan(value) ? std::nullopt : std::optional<double>(static_cast<double>(value));
}

/// Values from 0 to `most` as whole numbers.
void keep_figures(std::span<const float> values, double most, std::vector<std::uint16_t>& figures) {
  for (const double value : values)
    figures.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(value / most, 0.0, 1.0) * kFinest)));
}
std::vector<float> told_figures(std::span<const std::uint16_t> figures, double most) {
  std::vector<float> values;
  values.reserve(figures.size());
  for (const double figure : figures) values.push_back(static_cast<float>(figure / kFinest * most));
  return values;
}

}  // namespace

Point Point::followed_by(const Point& later) const {
  const auto rows_here = static_cast<double>(rows);
  const auto rows_there = static_cast<double>(later.rows);
  const double share = rows_there / std::max(1.0, rows_here + rows_there);
  Point both = later;  // its moment, and where the prototypes stood then
  both.span = later.time - (time - span);
  both.batches += batches;
  both.rows += rows;
  both.confidence += (1 - share) * (confidence - later.confidence);
  both.entropy += (1 - share) * (entropy - later.entropy);
  both.source_confidence = mean_of(source_confidence, rows_here, later.source_confidence, rows_there);
  both.flip_rate = mean_of(flip_rate, rows_here, later.flip_rate, rows_there);
  both.accuracy += accuracy;
  for (std::size_t k = 0; k < std::min(proportions.size(), both.proportions.size()); ++k)
    both.proportions[k] += static_cast<float>(1 - share) * (proportions[k] - both.proportions[k]);
  return both;
}

void History::add(const Point& point) {
  if (last_ && last_->span + point.span <= spacing_) {
    last_ = last_->followed_by(point);
  } else {
    if (last_) keep(*last_);
    last_ = point;
  }
  if (kept_.size() + 1 == kMostPoints) join_neighbours();
}

void History::join_neighbours() {
  std::vector<Point> joined = points();
  for (std::size_t i = 0; i < kMostPoints / 2; ++i) joined[i] = joined[2 * i].followed_by(joined[2 * i + 1]);
  joined.resize(kMostPoints / 2);
  spacing_ = 2 * (joined.back().time - (joined.front().time - joined.front().span)) / kMostPoints;
  last_ = std::move(joined.back());
  joined.pop_back();
  kept_.clear();
  class_figures_.clear();
  for (const Point& point : joined) keep(point);
}

void History::keep(const Point& point) {
  kept_.reserve(kMostPoints);
  class_figures_.reserve(kMostPoints * (point.movement.size() + point.proportions.size()));
  kept_.push_back({.time = point.time,
                   .span = point.span,
                   .batches = point.batches,
                   .rows = point.rows,
                   .judged_rows = point.accuracy.rows,
                   .correct = static_cast<float>(point.accuracy.correct),
                   .doubted = static_cast<float>(point.accuracy.doubted),
                   .variance = static_cast<float>(point.accuracy.variance),
                   .confidence = static_cast<float>(point.confidence),
                   .source_confidence = kept(point.source_confidence),
                   .flip_rate = kept(point.flip_rate),
                   .trust = kept(point.trust),
                   .entropy = static_cast<float>(point.entropy),
                   .dispersion = kept(point.dispersion),
                   .movements = static_cast<std::uint16_t>(point.movement.size()),
                   .proportions = static_cast<std::uint16_t>(point.proportions.size())});
  keep_figures(point.movement, kMostMovement, class_figures_);
  keep_figures(point.proportions, 1, class_figures_);
}

std::vector<Point> History::points() const {
  std::vector<Point> points;
  points.reserve(kept_.size() + 1);
  std::span<const std::uint16_t> figures(class_figures_);
  for (const KeptPoint& point : kept_) {
    points.push_back({.time = point.time,
                      .span = point.span,
                      .batches = point.batches,
                      .rows = point.rows,
                      .confidence = point.confidence,
                      .source_confidence = told(point.source_confidence),
                      .flip_rate = told(point.flip_rate),
                      .accuracy = {point.judged_rows, point.correct, point.doubted, point.variance},
                      .trust = told(point.trust),
                      .entropy = point.entropy,
                      .dispersion = told(point.dispersion),
                      .movement = told_figures(figures.first(point.movements), kMostMovement),
                      .proportions = told_figures(figures.subspan(point.movements, point.proportions), 1)});
    figures = figures.subspan(point.movements + point.proportions);
  }
  if (last_) points.push_back(*last_);
  return points;
}

Point Tally::point(double start, double end) const {
  const auto count = static_cast<double>(std::max<std::int64_t>(1, rows));
  Point point;
  point.time = end;
  point.span = end - start;
  point.batches = batches;
  point.rows = rows;
  point.confidence = confidence / count;
  point.entropy = entropy / count;
  if (source_rows > 0) {
    point.source_confidence = source_confidence / static_cast<double>(source_rows);
    point.flip_rate = static_cast<double>(flipped) / static_cast<double>(source_rows);
  }
  point.accuracy = accuracy;
  point.trust = trust;
  for (const double sum : answered) point.proportions.push_back(static_cast<float>(sum / count));
  return point;
}

}  // namespace stad::server
