#include "speed/timing.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/check.hpp"
#include "base/parallel.hpp"
#include "math/eigen.hpp"

namespace stad::speed {

double percentile(std::vector<double> values, double share) {
  STAD_CHECK(!values.empty() && share >= 0 && share <= 1);
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - std::floor(place)) * (values[above] - values[below]);
}

namespace {

// Far above the resolution of the clock, and short enough that an interruption affects few readings.
constexpr double kShortestReading = 50e-6;
constexpr double kSecondsPerMeasurement = 0.2;
constexpr std::size_t kFewestReadings = 5;

/// Median milliseconds of one call, without the first call.
double milliseconds_of(const std::function<void()>& work) {
  work();
  SteadyTimer once;
  work();
  const int calls = std::max(1, static_cast<int>(kShortestReading / std::max(once.seconds(), 1e-9)));
  std::vector<double> readings;
  for (const SteadyTimer all; readings.size() < kFewestReadings || all.seconds() < kSecondsPerMeasurement;) {
    const SteadyTimer reading;
    for (int i = 0; i < calls; ++i) work();
    readings.push_back(reading.seconds() * 1e3 / calls);
  }
  return percentile(std::move(readings), 0.5);
}

/// Milliseconds of the work when the classes are distributed over threads(), or of one thread if that is faster. Pieces
/// may depend on threads() because the results are discarded.
double fastest_distribution(Index classes, const std::function<void(Index first, Index count)>& work) {
  const double alone = milliseconds_of([&] { work(0, classes); });
  const Index pieces = std::min<Index>(threads(), classes);
  if (pieces == 1) return alone;
  return std::min(alone, milliseconds_of([&] {
                    parallel_for(pieces, [&](Index i) {
                      const Index first = i * classes / pieces;
                      work(first, (i + 1) * classes / pieces - first);
                    });
                  }));
}

/// Arbitrary values of ordinary magnitude.
FloatRows some_rows(Index rows, Index cols) {
  FloatRows values(rows, cols);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = static_cast<float>(i % 101) / 101 - 0.5F;
  return values;
}

}  // namespace

MachineLimits measure_limits(const BatchShape& shape) {
  const FloatRows h = some_rows(shape.samples, shape.dimension);
  const FloatRows w = some_rows(shape.classes, shape.dimension);
  const FloatRows responsibilities = some_rows(shape.samples, shape.classes);
  FloatRows logits(shape.samples, shape.classes);
  FloatRows evidence(shape.classes, shape.dimension);
  Eigen::VectorXf scores(shape.classes);

  const auto assign = [&](Index first, Index count) {
    logits.middleCols(first, count).noalias() = h * w.middleRows(first, count).transpose();
  };
  const auto gather = [&](Index first, Index count) {
    evidence.middleRows(first, count).noalias() = responsibilities.middleCols(first, count).transpose() * h;
  };
  // The blocked product packs its operands first, which is slower for few samples.
  const auto gather_few = [&](Index first, Index count) {
    evidence.middleRows(first, count) = responsibilities.middleCols(first, count).transpose().lazyProduct(h);
  };
  const auto pass = [&](Index first, Index count) {
    scores.segment(first, count).noalias() = w.middleRows(first, count) * h.row(0).transpose();
  };

  constexpr Index kFew = 8;
  const double gathered = fastest_distribution(shape.classes, gather);
  const double evidence_ms =
      shape.samples > kFew ? gathered : std::min(gathered, fastest_distribution(shape.classes, gather_few));
  return {fastest_distribution(shape.classes, assign) + evidence_ms, fastest_distribution(shape.classes, pass)};
}

}  // namespace stad::speed
