#include "serving/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

namespace stad::serving {
namespace {

constexpr std::size_t kMaxPoints = 48;
constexpr double kSteps = std::numeric_limits<std::uint16_t>::max();
constexpr double kMaxMovement = std::numbers::pi;

std::optional<double> mean_of(const std::optional<double>& a, double rows_a, const std::optional<double>& b,
                              double rows_b) {
  if (!a || !b) return a ? a : b;
  return (*a * rows_a + *b * rows_b) / (rows_a + rows_b);
}

float packed(const std::optional<double>& value) {
  return static_cast<float>(value.value_or(std::numeric_limits<double>::quiet_NaN()));
}
std::optional<double> unpacked(float value) {
  return std::isnan(value) ? std::nullopt : std::optional<double>(static_cast<double>(value));
}

std::int8_t packed(const std::optional<Warning>& warning) {
  return warning ? static_cast<std::int8_t>(*warning) : std::int8_t{-1};
}
std::optional<Warning> unpacked_warning(std::int8_t value) {
  return value < 0 ? std::nullopt : std::optional(static_cast<Warning>(value));
}

std::optional<Guard> unpacked_guard(std::int8_t held_by, double zeta, double excess, double autocorrelation) {
  if (held_by < 0) return std::nullopt;
  const auto test = static_cast<GuardTest>(held_by);
  return Guard{test == GuardTest::kNone, zeta, excess, autocorrelation, test};
}

/// Quantizes values from 0 to `max` to 16 bits.
void pack_figures(std::span<const float> values, double max, std::vector<std::uint16_t>& figures) {
  for (const double value : values)
    figures.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(value / max, 0.0, 1.0) * kSteps)));
}
std::vector<float> unpack_figures(std::span<const std::uint16_t> figures, double max) {
  std::vector<float> values;
  values.reserve(figures.size());
  for (const double figure : figures) values.push_back(static_cast<float>(figure / kSteps * max));
  return values;
}

}  // namespace

HistoryPoint HistoryPoint::followed_by(const HistoryPoint& later) const {
  const auto rows_here = static_cast<double>(rows);
  const auto rows_there = static_cast<double>(later.rows);
  const double share = rows_there / std::max(1.0, rows_here + rows_there);
  HistoryPoint both = later;  // values of a moment are those of the later span
  both.span = later.time - (time - span);
  both.batches += batches;
  both.rows += rows;
  both.confidence += (1 - share) * (confidence - later.confidence);
  both.entropy += (1 - share) * (entropy - later.entropy);
  both.source_confidence = mean_of(source_confidence, rows_here, later.source_confidence, rows_there);
  both.flip_rate = mean_of(flip_rate, rows_here, later.flip_rate, rows_there);
  both.chains = mean_of(chains, rows_here, later.chains, rows_there);
  both.warning = std::max(warning, later.warning);  // none is the least
  if (!both.guard) both.guard = guard;
  for (std::size_t k = 0; k < std::min(proportions.size(), both.proportions.size()); ++k)
    both.proportions[k] += static_cast<float>(1 - share) * (proportions[k] - both.proportions[k]);
  return both;
}

void History::add(const HistoryPoint& point) {
  if (last_ && last_->span + point.span <= spacing_) {
    last_ = last_->followed_by(point);
  } else {
    if (last_) pack(*last_);
    last_ = point;
  }
  if (packed_.size() + 1 == kMaxPoints) join_neighbours();
}

void History::join_neighbours() {
  std::vector<HistoryPoint> joined = points();
  for (std::size_t i = 0; i < kMaxPoints / 2; ++i) joined[i] = joined[2 * i].followed_by(joined[2 * i + 1]);
  joined.resize(kMaxPoints / 2);
  spacing_ = 2 * (joined.back().time - (joined.front().time - joined.front().span)) / kMaxPoints;
  last_ = std::move(joined.back());
  joined.pop_back();
  packed_.clear();
  class_figures_.clear();
  for (const HistoryPoint& point : joined) pack(point);
}

void History::pack(const HistoryPoint& point) {
  packed_.reserve(kMaxPoints);
  class_figures_.reserve(kMaxPoints * (point.movement.size() + point.proportions.size()));
  const Guard guard = point.guard.value_or(Guard{});
  packed_.push_back({.time = point.time,
                     .span = point.span,
                     .batches = point.batches,
                     .rows = point.rows,
                     .confidence = static_cast<float>(point.confidence),
                     .source_confidence = packed(point.source_confidence),
                     .flip_rate = packed(point.flip_rate),
                     .chains = packed(point.chains),
                     .entropy = static_cast<float>(point.entropy),
                     .dispersion = packed(point.dispersion),
                     .zeta = static_cast<float>(guard.zeta),
                     .excess = static_cast<float>(guard.excess),
                     .autocorrelation = static_cast<float>(guard.autocorrelation),
                     .movements = static_cast<std::uint16_t>(point.movement.size()),
                     .proportions = static_cast<std::uint16_t>(point.proportions.size()),
                     .warning = packed(point.warning),
                     .held_by = point.guard ? static_cast<std::int8_t>(guard.held_by) : std::int8_t{-1}});
  pack_figures(point.movement, kMaxMovement, class_figures_);
  pack_figures(point.proportions, 1, class_figures_);
}

std::vector<HistoryPoint> History::points() const {
  std::vector<HistoryPoint> points;
  points.reserve(packed_.size() + 1);
  std::span<const std::uint16_t> figures(class_figures_);
  for (const PackedPoint& point : packed_) {
    points.push_back({.time = point.time,
                      .span = point.span,
                      .batches = point.batches,
                      .rows = point.rows,
                      .confidence = point.confidence,
                      .source_confidence = unpacked(point.source_confidence),
                      .flip_rate = unpacked(point.flip_rate),
                      .warning = unpacked_warning(point.warning),
                      .chains = unpacked(point.chains),
                      .guard = unpacked_guard(point.held_by, point.zeta, point.excess, point.autocorrelation),
                      .entropy = point.entropy,
                      .dispersion = unpacked(point.dispersion),
                      .movement = unpack_figures(figures.first(point.movements), kMaxMovement),
                      .proportions = unpack_figures(figures.subspan(point.movements, point.proportions), 1)});
    figures = figures.subspan(point.movements + point.proportions);
  }
  if (last_) points.push_back(*last_);
  return points;
}

void PointAccumulator::add(const PointAccumulator& later) {
  batches += later.batches;
  rows += later.rows;
  confidence += later.confidence;
  entropy += later.entropy;
  source_confidence += later.source_confidence;
  source_rows += later.source_rows;
  compared += later.compared;
  flipped += later.flipped;
  chain_rows += later.chain_rows;
  warning = later.warning;
  guard = later.guard;
  answered.resize(later.answered.size());
  for (std::size_t k = 0; k < answered.size(); ++k) answered[k] += later.answered[k];
}

HistoryPoint PointAccumulator::point(double start, double end) const {
  const auto count = static_cast<double>(std::max<std::int64_t>(1, rows));
  HistoryPoint point;
  point.time = end;
  point.span = end - start;
  point.batches = batches;
  point.rows = rows;
  point.confidence = confidence / count;
  point.entropy = entropy / count;
  if (source_rows > 0) point.source_confidence = source_confidence / static_cast<double>(source_rows);
  if (compared > 0) point.flip_rate = static_cast<double>(flipped) / static_cast<double>(compared);
  point.warning = warning;
  if (guard) point.chains = static_cast<double>(chain_rows) / count;
  point.guard = guard;
  for (const double sum : answered) point.proportions.push_back(static_cast<float>(sum / count));
  return point;
}

}  // namespace stad::serving
