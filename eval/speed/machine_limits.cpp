#include "speed/machine_limits.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "base/parallel.hpp"
#include "math/eigen.hpp"
#include "speed/percentile.hpp"
#include "speed/stopwatch.hpp"

namespace stad::speed {
namespace {

// Long enough to be well above the clock's own grain, short enough that an interruption spoils few of them.
constexpr double kShortestReading = 50e-6;
constexpr double kSecondsAQuestion = 0.2;
constexpr std::size_t kFewestReadings = 5;

/// Median milliseconds of one call, the first call left out.
double milliseconds_of(const std::function<void()>& work) {
  work();
  Stopwatch once;
  work();
  const int calls = std::max(1, static_cast<int>(kShortestReading / std::max(once.seconds(), 1e-9)));
  std::vector<double> readings;
  for (const Stopwatch all; readings.size() < kFewestReadings || all.seconds() < kSecondsAQuestion;) {
    const Stopwatch reading;
    for (int i = 0; i < calls; ++i) work();
    readings.push_back(reading.seconds() * 1e3 / calls);
  }
  return percentile(std::move(readings), 0.5);
}

/// Every class belongs to one piece. Cut by threads(), which answers never are: nothing here is an answer.
double shared_out(Index classes, const std::function<void(Index first, Index count)>& work) {
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

/// Values of an ordinary size; which ones does not matter to a product.
FloatRows some_rows(Index rows, Index cols) {
  FloatRows values(rows, cols);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = static_cast<float>(i % 101) / 101 - 0.5F;
  return values;
}

}  // namespace

MachineLimits measure_limits(const Shape& shape) {
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
  // The blocked product packs its operands first, which a few samples do not repay.
  const auto gather_few = [&](Index first, Index count) {
    evidence.middleRows(first, count) = responsibilities.middleCols(first, count).transpose().lazyProduct(h);
  };
  const auto pass = [&](Index first, Index count) {
    scores.segment(first, count).noalias() = w.middleRows(first, count) * h.row(0).transpose();
  };

  constexpr Index kFew = 8;
  const double gathered = shared_out(shape.classes, gather);
  const double evidence_ms =
      shape.samples > kFew ? gathered : std::min(gathered, shared_out(shape.classes, gather_few));
  return {shared_out(shape.classes, assign) + evidence_ms, shared_out(shape.classes, pass)};
}

}  // namespace stad::speed
