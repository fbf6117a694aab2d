#include <stad/eval/simulate.hpp>

#include <numeric>
#include <utility>
#include <vector>

#include <stad/eval/fit.hpp>

#include "base/random.hpp"
#include "base/try.hpp"
#include "data/class_order.hpp"
#include "simulate/settings_rules.hpp"
#include "simulate/world.hpp"

namespace stad {
namespace {

using Labels = std::vector<std::int64_t>;

/// Every class equally often, so that none is missing.
FeatureStream draw_training_rows(const World& world, const SimulationSettings& settings, Random& random) {
  const auto centres = world.before_drift();
  Matrix features(training_rows(settings), settings.dimension);
  Labels labels;
  for (Index n = 0; n < features.rows(); ++n) {
    labels.push_back(n % settings.classes);
    world.draw(random, centres.row(labels.back()), features.row(n));
  }
  auto training = FeatureStream::from(std::move(features));
  training.labels = std::move(labels);
  return training;
}

/// Independent sources of numbers: what one setting asks of its own leaves all other rows as they were.
struct Randoms {
  Random stream;
  Random order;
  Random unknown;
};

/// The unknown class takes its share of the rows from all others alike, so that they stay equally frequent.
void mark_unknown(const SimulationSettings& settings, Random& random, Labels& labels) {
  for (auto& label : labels)
    if (random.below(static_cast<std::uint64_t>(settings.classes) + 1) == 0) label = kNoClass;
}

Labels draw_labels(const SimulationSettings& settings, Index step, Randoms& randoms) {
  Labels labels(static_cast<std::size_t>(settings.samples_per_step));
  for (auto& label : labels)
    label = static_cast<std::int64_t>(randoms.stream.below(static_cast<std::uint64_t>(settings.classes)));
  if (settings.unknown_class && in_second_half(step, settings.steps)) mark_unknown(settings, randoms.unknown, labels);
  return labels;
}

/// Where each row of a step goes: sorted by class, the classes in random order.
std::vector<Index> sorted_places(const Labels& labels, Random& random) {
  std::vector<Index> rows(labels.size());
  std::iota(rows.begin(), rows.end(), 0);
  sort_by_class(labels, random, rows);
  std::vector<Index> places(labels.size());
  for (std::size_t place = 0; place < rows.size(); ++place)
    places[static_cast<std::size_t>(rows[place])] = static_cast<Index>(place);
  return places;
}

FeatureStream draw_stream(const World& world, const SimulationSettings& settings, Randoms& randoms) {
  const Index per_step = settings.samples_per_step;
  Matrix features(settings.steps * per_step, settings.dimension);
  Labels all_labels(static_cast<std::size_t>(features.rows()));
  std::vector<double> time(all_labels.size());
  for (Index step = 0; step < settings.steps; ++step) {
    const auto centres = world.at_step(step);
    const Labels labels = draw_labels(settings, step, randoms);
    // The same rows with and without label shift, in another order: what differs is the order alone.
    const auto places = settings.label_shift ? sorted_places(labels, randoms.order) : std::vector<Index>();
    for (Index n = 0; n < per_step; ++n) {
      const auto i = static_cast<std::size_t>(n);
      const Index at = step * per_step + (places.empty() ? n : places[i]);
      const Index centre = labels[i] == kNoClass ? settings.classes : labels[i];
      world.draw(randoms.stream, centres.row(centre), features.row(at));
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
  STAD_TRY(check_settings(settings));
  const World world(settings);
  // Apart from the world's own numbers, and apart from each other: more training rows leave the stream as it was.
  Random training_random(settings.seed ^ 0x7261696e);
  Randoms randoms{Random(settings.seed ^ 0x73747265616d), Random(settings.seed ^ 0x6f72646572),
                  Random(settings.seed ^ 0x756e6b6e6f776e)};
  // The means of scattered classes say nothing; of clusters they say all, and cost no search.
  const FitSettings fit{.kind = settings.scattered ? FitKind::kLogistic : FitKind::kClassMeans};
  STAD_ASSIGN(auto fitted, fit_source(draw_training_rows(world, settings, training_random), fit));
  return Simulation{std::move(fitted.source), draw_stream(world, settings, randoms)};
}

}  // namespace stad
