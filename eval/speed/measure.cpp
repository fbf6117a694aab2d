#include <algorithm>
#include <vector>

#include <stad/eval/speed.hpp>
#include <stad/methods.hpp>
#include <stad/threads.hpp>

#include "base/try.hpp"
#include "speed/synthetic_stream.hpp"
#include "speed/timing.hpp"
#include "speed/verify.hpp"

namespace stad {
namespace {

using namespace speed;

/// Adapts on an endless stream and measures the time of each batch.
class TimedStream {
 public:
  TimedStream(Adapter& adapter, const SyntheticStream& stream) : adapter_(adapter), stream_(stream) {}

  /// Milliseconds of each of the next `count` batches.
  Result<std::vector<double>> adapt(Index count) {
    std::vector<double> milliseconds;
    milliseconds.reserve(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i) {
      const Batch batch(stream_.batch(next_++));
      const SteadyTimer watch;
      STAD_TRY(adapter_.adapt(batch, answer_));
      milliseconds.push_back(watch.seconds() * 1e3);
    }
    return milliseconds;
  }

 private:
  Adapter& adapter_;
  const SyntheticStream& stream_;
  Predictions answer_;
  Index next_ = 0;
};

/// The number of batches that takes about two seconds.
Index steps_worth_timing(const std::vector<double>& warm_up) {
  constexpr double kMilliseconds = 2000;
  const auto later_half = warm_up.begin() + std::ssize(warm_up) / 2;  // the window is full from there on
  const double typical = percentile({later_half, warm_up.end()}, 0.5);
  return static_cast<Index>(std::clamp(kMilliseconds / std::max(typical, 1e-6), 20.0, 1000.0));
}

std::int64_t bytes_of(const AdapterState& state) {
  std::size_t bytes = 0;
  for (const Tensor& tensor : state.tensors)
    bytes += std::visit([](const auto& values) { return values.size() * sizeof(values[0]); }, tensor.values);
  return static_cast<std::int64_t>(bytes);
}

}  // namespace

Result<SpeedReport> measure_speed(const SpeedSettings& settings) {
  STAD_TRY(check_speed_settings(settings));
  STAD_ASSIGN(const SpeedVerification verified, verify(settings));

  const BatchShape shape{settings.samples, settings.dimension, settings.classes};
  const auto stream = synthetic_stream(shape, settings.seed);
  STAD_ASSIGN(const auto adapter, make_adapter(settings.method, stream.source, settings.options));
  TimedStream timed(*adapter, stream);
  STAD_ASSIGN(const auto warm_up, timed.adapt(2 * (window_of(adapter->options()) + 1) + 4));
  const Index steps = settings.steps.value_or(steps_worth_timing(warm_up));
  STAD_ASSIGN(const auto milliseconds, timed.adapt(steps));
  const MachineLimits limits = measure_limits(shape);

  SpeedReport report;
  report.method = settings.method;
  report.options = adapter->options();
  report.samples = shape.samples;
  report.dimension = shape.dimension;
  report.classes = shape.classes;
  report.steps = steps;
  report.threads = threads();
  report.median_ms = percentile(milliseconds, 0.5);
  report.p90_ms = percentile(milliseconds, 0.9);
  report.state_bytes = bytes_of(adapter->state());
  report.products_ms = limits.products_ms;
  report.pass_ms = limits.pass_ms;
  report.verified = verified;
  return report;
}

}  // namespace stad
