#include <stad/eval/simulate.hpp>

#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <stad/eval/fit.hpp>

#include "base/random.hpp"
#include "base/try.hpp"
#include "data/class_order.hpp"
#include "simulate/drift_model.hpp"

namespace stad {
namespace {

constexpr Index kTrainingRowsPerClass = 50;
constexpr Index kScatteredRowsPerClass = 100;  // fewer would overfit the nuisance dimensions
constexpr Index kLeastScatteredDimension = 8;
constexpr Index kMostScatteredWeights = 100'000;  // larger heads take minutes to fit
constexpr double kMostBytes = 4e9;

/// Rows drawn before the drift, to which the head is fitted; as many again make its card.
Index training_rows(const SimulationSettings& settings) {
  return (settings.scattered ? kScatteredRowsPerClass : kTrainingRowsPerClass) * settings.classes;
}

Status check_whole(const char* name, Index value, Index least, Index most) {
  if (value >= least && value <= most) return {};
  return invalid(fmt::format("simulate: {} = {}, must be a whole number from {} to {}", name, value, least, most));
}

Status check_number(const char* name, double value, bool kept, const char* rule) {
  if (kept) return {};
  return invalid(fmt::format("simulate: {} = {}, must be a number {}", name, value, rule));
}

/// Rules that involve several settings.
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
  const double rows = static_cast<double>(s.steps) * static_cast<double>(s.samples_per_step) +
                      2 * static_cast<double>(training_rows(s));
  const double bytes = rows * static_cast<double>(s.dimension) * sizeof(float);
  if (bytes <= kMostBytes) return {};
  return invalid(
      fmt::format("simulate: steps = {}, samples_per_step = {}, dimension = {} need {:.1f} GB, must need at "
                  "most {:.0f} GB",
                  s.steps, s.samples_per_step, s.dimension, bytes / 1e9, kMostBytes / 1e9));
}

/// Fails on the first setting that breaks its rule, or if the sizes together need too much memory.
Status check_simulation_settings(const SimulationSettings& s) {
  STAD_TRY(check_whole("steps", s.steps, 1, 100'000));
  STAD_TRY(check_whole("samples_per_step", s.samples_per_step, 1, 1'000'000'000));
  STAD_TRY(check_whole("classes", s.classes, 2, 1000));
  STAD_TRY(check_whole("dimension", s.dimension, 2, 4096));
  STAD_TRY(check_number("strength", s.strength, s.strength >= 0 && s.strength <= 10, "from 0 to 10"));
  STAD_TRY(check_number("noise", s.noise, s.noise > 0 && s.noise <= 10, "above 0 and up to 10"));
  STAD_TRY(check_together(s));
  return check_memory(s);
}

using Labels = std::vector<std::int64_t>;

/// Draws every class equally often.
FeatureStream draw_training_rows(const DriftModel& drift, const SimulationSettings& settings, Random& random) {
  const auto centres = drift.before_drift();
  Matrix features(training_rows(settings), settings.dimension);
  Labels labels;
  for (Index n = 0; n < features.rows(); ++n) {
    labels.push_back(n % settings.classes);
    drift.draw(random, centres.row(labels.back()), features.row(n));
  }
  auto training = FeatureStream::from(std::move(features));
  training.labels = std::move(labels);
  return training;
}

/// Independent generators, so that one setting does not change the rows drawn for others.
struct StreamGenerators {
  Random stream;
  Random order;
  Random unknown;
};

/// Replaces labels of all classes with equal probability, so that the classes stay equally frequent.
void mark_unknown(const SimulationSettings& settings, Random& random, Labels& labels) {
  for (auto& label : labels)
    if (random.below(static_cast<std::uint64_t>(settings.classes) + 1) == 0) label = kNoClass;
}

Labels draw_labels(const SimulationSettings& settings, Index step, StreamGenerators& generators) {
  Labels labels(static_cast<std::size_t>(settings.samples_per_step));
  for (auto& label : labels)
    label = static_cast<std::int64_t>(generators.stream.below(static_cast<std::uint64_t>(settings.classes)));
  if (settings.unknown_class && in_second_half(step, settings.steps))
    mark_unknown(settings, generators.unknown, labels);
  return labels;
}

/// Position of each row of a step when sorted by class, with the classes in random order.
std::vector<Index> sorted_places(const Labels& labels, Random& random) {
  std::vector<Index> rows(labels.size());
  std::iota(rows.begin(), rows.end(), 0);
  sort_by_class(labels, random, rows);
  std::vector<Index> places(labels.size());
  for (std::size_t place = 0; place < rows.size(); ++place)
    places[static_cast<std::size_t>(rows[place])] = static_cast<Index>(place);
  return places;
}

FeatureStream draw_stream(const DriftModel& drift, const SimulationSettings& settings, StreamGenerators& generators) {
  const Index per_step = settings.samples_per_step;
  Matrix features(settings.steps * per_step, settings.dimension);
  Labels all_labels(static_cast<std::size_t>(features.rows()));
  std::vector<double> time(all_labels.size());
  for (Index step = 0; step < settings.steps; ++step) {
    const auto centres = drift.at_step(step);
    const Labels labels = draw_labels(settings, step, generators);
    // Label shift changes the order of the rows, not the rows.
    const auto places = settings.label_shift ? sorted_places(labels, generators.order) : std::vector<Index>();
    for (Index n = 0; n < per_step; ++n) {
      const auto i = static_cast<std::size_t>(n);
      const Index at = step * per_step + (places.empty() ? n : places[i]);
      const Index centre = labels[i] == kNoClass ? settings.classes : labels[i];
      drift.draw(generators.stream, centres.row(centre), features.row(at));
      all_labels[static_cast<std::size_t>(at)] = labels[i];
      time[static_cast<std::size_t>(at)] = static_cast<double>(step);
    }
  }
  auto stream = FeatureStream::from(std::move(features));
  stream.labels = std::move(all_labels);
  stream.time = std::move(time);
  return stream;
}

}  // namespace

Result<Simulation> simulate(const SimulationSettings& settings) {
  STAD_TRY(check_simulation_settings(settings));
  const DriftModel drift(settings);
  // Independent of each other and of DriftModel: the rows of head and card do not change the stream.
  Random training_random(settings.seed ^ 0x7261696e);
  StreamGenerators generators{Random(settings.seed ^ 0x73747265616d), Random(settings.seed ^ 0x6f72646572),
                              Random(settings.seed ^ 0x756e6b6e6f776e)};
  // Class means suffice for clusters and need no search; for scattered classes they are uninformative.
  const FitSettings fit{.kind = settings.scattered ? FitKind::kLogistic : FitKind::kClassMeans, .card = false};
  STAD_ASSIGN(const FitReport fitted, fit_source(draw_training_rows(drift, settings, training_random), fit));
  const FeatureStream held_out = draw_training_rows(drift, settings, training_random);
  STAD_ASSIGN(auto source, fitted.source.with_card(held_out.features, held_out.labels));
  return Simulation{std::move(source), draw_stream(drift, settings, generators)};
}

}  // namespace stad
