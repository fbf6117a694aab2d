#include "speed/verify.hpp"

#include <algorithm>
#include <charconv>

#include <Eigen/Core>

#include <fmt/format.h>

#include <stad/methods.hpp>

#include "base/flush_subnormals.hpp"
#include "base/try.hpp"
#include "math/eigen.hpp"
#include "reference/method.hpp"
#include "speed/agreement.hpp"
#include "speed/stopwatch.hpp"
#include "speed/synthetic_stream.hpp"

namespace stad::speed {
namespace {

constexpr double kMostSeconds = 4;
constexpr Index kFewestBatches = 2;
constexpr Index kDistinctBatches = 8;  // drawing them takes time too

/// Without subnormals, which would slow the plain products a hundredfold.
Eigen::MatrixXd plain_answer(reference::Method& method, const Matrix& batch) {
  const FlushSubnormals flush;
  return method.adapt(as_eigen(batch).cast<double>());
}

}  // namespace

Index window_of(const std::vector<OptionSetting>& options) {
  Index window = 0;
  for (const auto& option : options)
    if (option.name == "window")
      std::from_chars(option.value.data(), option.value.data() + option.value.size(), window);
  return window;
}

SpeedVerification verified_shape(const SpeedSettings& settings) {
  constexpr Index kMostSamples = 24;
  constexpr Index kMostDimensions = 32;
  constexpr Index kMostClasses = 4;
  if (settings.method != "stad-gauss") return {settings.samples, settings.dimension, settings.classes};
  return {std::min(settings.samples, kMostSamples), std::min(settings.dimension, kMostDimensions),
          std::min(settings.classes, kMostClasses)};
}

Result<SpeedVerification> verify(const SpeedSettings& settings) {
  SpeedVerification done = verified_shape(settings);
  const auto stream = synthetic_stream({done.samples, done.dimension, done.classes}, settings.seed, kDistinctBatches);
  STAD_ASSIGN(const auto adapter, make_adapter(settings.method, stream.source, settings.options));
  STAD_ASSIGN(const auto reference,
              reference::make_method(settings.method, reference::head_of(stream.source), settings.options));
  Predictions answer;
  // Long enough that classes of a full window go without samples, and come back.
  const Index wanted = 4 * (window_of(adapter->options()) + 1) + 4;
  for (const Stopwatch all; done.batches < wanted && (done.batches < kFewestBatches || all.seconds() < kMostSeconds);
       ++done.batches) {
    const Matrix& batch = stream.batch(done.batches);
    STAD_TRY(adapter->adapt(batch, answer));
    const auto place = fmt::format("{}: batch {}", settings.method, done.batches);
    STAD_TRY(check_answer(place, answer, plain_answer(*reference, batch), done.largest_difference));
    STAD_TRY(
        check_prototypes(place, adapter->prototypes(), reference->prototypes(), done.largest_prototype_difference));
  }
  return done;
}

}  // namespace stad::speed
