#include "simulate/settings_rules.hpp"

#include <limits>

#include <fmt/format.h>

#include "base/try.hpp"

namespace stad {
namespace {

constexpr Index kTrainingRowsPerClass = 50;
constexpr Index kScatteredRowsPerClass = 100;  // or the search would fit the nuisance
constexpr Index kLeastScatteredDimension = 8;
constexpr Index kMostScatteredWeights = 100'000;  // more would be minutes of search
constexpr double kMostBytes = 4e9;

Status check_whole(const char* name, Index value, Index least, Index most) {
  if (value >= least && value <= most) return {};
  return invalid(fmt::format("simulate: {} = {}, must be a whole number from {} to {}", name, value, least, most));
}

Status check_number(const char* name, double value, bool kept, const char* rule) {
  if (kept) return {};
  return invalid(fmt::format("simulate: {} = {}, must be a number {}", name, value, rule));
}

/// What is right alone and wrong together.
Status check_together(const SimulationSettings& s) {
  if (s.steps < 2 && s.drift == Drift::kAbrupt)
    return invalid(fmt::format("simulate: steps = {}, must be at least 2 with abrupt drift", s.steps));
  if (s.steps < 2 && s.unknown_class)
    return invalid(fmt::format("simulate: steps = {}, must be at least 2 with an unknown class", s.steps));
  if (s.scattered && s.dimension < kLeastScatteredDimension)
    return invalid(fmt::format("simulate: dimension = {}, must be at least {} with scattered classes", s.dimension,
                               kLeastScatteredDimension));
  if (s.scattered && s.classes * s.dimension > kMostScatteredWeights)
    return invalid(
        fmt::format("simulate: classes = {} times dimension = {} is {}, must be at most {} with scattered classes",
                    s.classes, s.dimension, s.classes * s.dimension, kMostScatteredWeights));
  return {};
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

Index training_rows(const SimulationSettings& settings) {
  return (settings.scattered ? kScatteredRowsPerClass : kTrainingRowsPerClass) * settings.classes;
}

Status check_settings(const SimulationSettings& s) {
  STAD_TRY(check_whole("steps", s.steps, 1, 100'000));
  STAD_TRY(check_whole("samples_per_step", s.samples_per_step, 1, 1'000'000'000));
  STAD_TRY(check_whole("classes", s.classes, 2, 1000));
  STAD_TRY(check_whole("dimension", s.dimension, 2, 4096));
  STAD_TRY(check_number("strength", s.strength, s.strength >= 0 && s.strength <= 10, "from 0 to 10"));
  STAD_TRY(check_number("noise", s.noise, s.noise > 0 && s.noise <= 10, "above 0 and up to 10"));
  STAD_TRY(check_together(s));
  return check_memory(s);
}

}  // namespace stad
