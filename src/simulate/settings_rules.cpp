#include "simulate/settings_rules.hpp"

#include <limits>

#include <fmt/format.h>

#include "base/try.hpp"

namespace stad {
namespace {

constexpr Index kTrainingRowsPerClass = 50;
constexpr double kMostBytes = 4e9;

Status check_whole(const char* name, Index value, Index least, Index most) {
  if (value >= least && value <= most) return {};
  return invalid(fmt::format("simulate: {} = {}, must be a whole number from {} to {}", name, value, least, most));
}

Status check_number(const char* name, double value, bool kept, const char* rule) {
  if (kept) return {};
  return invalid(fmt::format("simulate: {} = {}, must be a number {}", name, value, rule));
}

Status check_memory(const SimulationSettings& s) {
  const double rows =
      static_cast<double>(s.steps) * static_cast<double>(s.samples_per_step) + static_cast<double>(training_rows(s));
  const double bytes = rows * static_cast<double>(s.dimension) * sizeof(float);
  if (bytes <= kMostBytes) return {};
  return invalid(
      fmt::format("simulate: steps = {}, samples_per_step = {}, dimension = {} need {:.1f} GB, must need at "
                  "most {:.0f} GB",
                  s.steps, s.samples_per_step, s.dimension, bytes / 1e9, kMostBytes / 1e9));
}

}  // namespace

Index training_rows(const SimulationSettings& settings) { return kTrainingRowsPerClass * settings.classes; }

Status check_settings(const SimulationSettings& s) {
  STAD_TRY(check_whole("steps", s.steps, 1, 100'000));
  STAD_TRY(check_whole("samples_per_step", s.samples_per_step, 1, 1'000'000'000));
  STAD_TRY(check_whole("classes", s.classes, 2, 1000));
  STAD_TRY(check_whole("dimension", s.dimension, 2, 4096));
  STAD_TRY(check_number("strength", s.strength, s.strength >= 0 && s.strength <= 10, "from 0 to 10"));
  STAD_TRY(check_number("noise", s.noise, s.noise > 0 && s.noise <= 10, "above 0 and up to 10"));
  return check_memory(s);
}

}  // namespace stad
