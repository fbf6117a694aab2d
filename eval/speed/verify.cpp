#include "speed/verify.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <Eigen/Core>

#include <stad/methods.hpp>

#include "base/flush_subnormals.hpp"
#include "base/try.hpp"
#include "math/eigen.hpp"
#include "reference/method.hpp"
#include "speed/synthetic_stream.hpp"
#include "speed/timing.hpp"

namespace stad::speed {
namespace {

constexpr double kMostBytes = 4e9;

Status check_whole(const char* name, Index value, Index least, Index most) {
  if (value >= least && value <= most) return {};
  return invalid(fmt::format("speed: {} = {}, must be a whole number from {} to {}", name, value, least, most));
}

/// Approximate peak memory: the reference implementation keeps a window of four batches with their prototypes in
/// double, and stad-gauss three D x D matrices a class.
double bytes_needed(const SpeedSettings& s) {
  const auto n = static_cast<double>(s.samples);
  const auto d = static_cast<double>(s.dimension);
  const auto k = static_cast<double>(s.classes);
  constexpr double kSteps = 5;
  const double window = kSteps * sizeof(double) * (n * d + 2 * k * d + n * k);
  return s.method == "stad-gauss" ? window + 3 * sizeof(double) * k * d * d : window;
}

Status check_memory(const SpeedSettings& s) {
  const double bytes = bytes_needed(s);
  if (bytes <= kMostBytes) return {};
  return invalid(
      fmt::format("speed: samples = {}, dim = {}, classes = {} need about {:.1f} GB with {}, must need at most "
                  "{:.0f} GB",
                  s.samples, s.dimension, s.classes, bytes / 1e9, s.method, kMostBytes / 1e9));
}

/// make_adapter() would report unknown methods too, but only after a possibly large head was built.
Status check_method(const std::string& name) {
  const auto is_named = [&](const MethodInfo& info) { return info.name == name; };
  const auto known = methods();
  if (std::any_of(known.begin(), known.end(), is_named)) return {};
  std::string names;
  for (const auto& info : known) names.append(names.empty() ? "" : ", ").append(info.name);
  const auto on_networks = network_methods();
  if (std::any_of(on_networks.begin(), on_networks.end(), is_named))
    return invalid(fmt::format("speed: {} adapts the network, must be a method on embeddings: {}", name, names));
  return invalid(fmt::format("unknown method {}, must be one of {}", name, names));
}

}  // namespace

Status check_speed_settings(const SpeedSettings& s) {
  STAD_TRY(check_method(s.method));
  STAD_TRY(check_whole("samples", s.samples, 1, 1'000'000));
  STAD_TRY(check_whole("dim", s.dimension, 2, 65'536));
  STAD_TRY(check_whole("classes", s.classes, 2, 100'000));
  if (s.steps) STAD_TRY(check_whole("steps", *s.steps, 1, 10'000'000));
  return check_memory(s);
}

namespace {

// Allowed difference between float32 and float64. Labels whose probabilities differ by less are tied.
constexpr double kAgreementTolerance = 1e-4;

Status check_row(const std::string& place, std::span<const float> found, std::int64_t label,
                 const Eigen::RowVectorXd& expected, double& largest) {
  for (Index k = 0; k < expected.size(); ++k) {
    const double difference = std::abs(found[static_cast<std::size_t>(k)] - expected[k]);
    if (!(difference <= kAgreementTolerance))
      return failed(
          fmt::format("{}, class {}: probability {:.6f}, the reference implementation has {:.6f}; nothing was timed",
                      place, k, found[static_cast<std::size_t>(k)], expected[k]));
    largest = std::max(largest, difference);
  }
  Index best = 0;
  if (expected.maxCoeff(&best) - expected[label] > kAgreementTolerance)
    return failed(
        fmt::format("{}, class {}: is the label with probability {:.6f}, the reference implementation has class {} "
                    "with {:.6f}; nothing was timed",
                    place, label, expected[label], best, expected[best]));
  return {};
}

}  // namespace

Status check_answer(const std::string& place, const Predictions& found, const Eigen::MatrixXd& expected,
                    double& largest) {
  for (Index n = 0; n < expected.rows(); ++n)
    STAD_TRY(check_row(fmt::format("{}, row {}", place, n), found.probabilities.row(n),
                       found.labels[static_cast<std::size_t>(n)], expected.row(n), largest));
  return {};
}

Status check_prototypes(const std::string& place, const Matrix& found, const Eigen::MatrixXd& expected,
                        double& largest) {
  for (Index k = 0; k < expected.rows(); ++k)
    for (Index d = 0; d < expected.cols(); ++d) {
      const double difference = std::abs(found(k, d) - expected(k, d));
      if (!(difference <= kAgreementTolerance))
        return failed(
            fmt::format("{}, class {}: prototype has {:.6f} in dimension {}, the reference implementation {:.6f}; "
                        "nothing was timed",
                        place, k, found(k, d), d, expected(k, d)));
      largest = std::max(largest, difference);
    }
  return {};
}

namespace {

constexpr double kMostSeconds = 4;
constexpr Index kFewestBatches = 2;
constexpr Index kDistinctBatches = 8;  // limits the time of drawing them

/// Flushes subnormals, which would slow the products a hundredfold.
Eigen::MatrixXd reference_answer(reference::Method& method, const Matrix& batch) {
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
  // Enough batches that classes leave the window and return.
  const Index target_batches = 4 * (window_of(adapter->options()) + 1) + 4;
  for (const SteadyTimer all;
       done.batches < target_batches && (done.batches < kFewestBatches || all.seconds() < kMostSeconds);
       ++done.batches) {
    const Matrix& batch = stream.batch(done.batches);
    STAD_TRY(adapter->adapt(batch, answer));
    const auto place = fmt::format("{}: batch {}", settings.method, done.batches);
    STAD_TRY(check_answer(place, answer, reference_answer(*reference, batch), done.largest_difference));
    STAD_TRY(
        check_prototypes(place, adapter->prototypes(), reference->prototypes(), done.largest_prototype_difference));
  }
  return done;
}

}  // namespace stad::speed
