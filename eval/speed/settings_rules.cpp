#include "speed/settings_rules.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <stad/methods.hpp>

#include "base/try.hpp"

namespace stad::speed {
namespace {

constexpr double kMostBytes = 4e9;

Status check_whole(const char* name, Index value, Index least, Index most) {
  if (value >= least && value <= most) return {};
  return invalid(fmt::format("speed: {} = {}, must be a whole number from {} to {}", name, value, least, most));
}

/// About what is held at once: the plain implementation keeps a window of four batches with their prototypes in double,
/// and stad-gauss three D x D matrices a class.
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

/// make_adapter() knows the methods, but asks for a head first, which may be large.
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

Status check_settings(const SpeedSettings& s) {
  STAD_TRY(check_method(s.method));
  STAD_TRY(check_whole("samples", s.samples, 1, 1'000'000));
  STAD_TRY(check_whole("dim", s.dimension, 2, 65'536));
  STAD_TRY(check_whole("classes", s.classes, 2, 100'000));
  if (s.steps) STAD_TRY(check_whole("steps", *s.steps, 1, 10'000'000));
  return check_memory(s);
}

}  // namespace stad::speed
