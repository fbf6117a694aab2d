#include "runs.hpp"

#include <pybind11/stl.h>

#include <stad/eval/simulate.hpp>

#include "adapter.hpp"
#include "health.hpp"

namespace stad::python {
namespace {

/// The choice of that name, or ValueError with all of them.
template <typename T>
T chosen(const std::string& name, const char* argument, const std::vector<std::pair<std::string, T>>& choices) {
  std::string all;
  for (const auto& [choice, value] : choices) {
    if (choice == name) return value;
    all += (all.empty() ? "" : ", ") + choice;
  }
  throw py::value_error(std::string(argument) + " is '" + name + "', must be one of " + all);
}

py::tuple simulated(const std::string& drift, Index steps, Index samples, Index classes, Index dimension,
                    double strength, double noise, bool label_shift, bool scattered, bool unknown_class,
                    std::uint64_t seed) {
  const SimulationSettings settings{.drift = chosen<Drift>(drift, "drift",
                                                           {{"none", Drift::kNone},
                                                            {"recurring", Drift::kRecurring},
                                                            {"progressive", Drift::kProgressive},
                                                            {"rapid", Drift::kRapid},
                                                            {"abrupt", Drift::kAbrupt}}),
                                    .steps = steps,
                                    .samples_per_step = samples,
                                    .classes = classes,
                                    .dimension = dimension,
                                    .strength = strength,
                                    .noise = noise,
                                    .label_shift = label_shift,
                                    .scattered = scattered,
                                    .unknown_class = unknown_class,
                                    .seed = seed};
  auto drawn = [&] {
    const py::gil_scoped_release release;
    return simulate(settings);
  }();
  Simulation simulation = need(std::move(drawn));
  return py::make_tuple(std::move(simulation.source), std::move(simulation.stream));
}

py::dict report_dict(const RunReport& report, bool has_time) {
  py::dict dict;
  const Predictions& predictions = report.predictions;
  dict["labels"] =
      py::array_t<std::int64_t>(static_cast<py::ssize_t>(predictions.labels.size()), predictions.labels.data());
  dict["probabilities"] = py::array_t<float>({predictions.probabilities.rows(), predictions.probabilities.cols()},
                                             predictions.probabilities.data());
  dict["samples"] = report.samples;
  dict["batches"] = report.batches;
  dict["seconds"] = report.adapt_seconds;
  if (report.evaluation) {
    dict["accuracy"] = report.evaluation->pooled;
    dict["accuracy_step_mean"] = report.evaluation->step_mean;
    dict["calibration_error"] = report.evaluation->calibration_error;
    py::list times, accuracies;
    for (const StepAccuracy& step : report.evaluation->per_step) {
      times.append(step.time);
      accuracies.append(step.accuracy);
    }
    dict["step_time"] = times;
    dict["step_accuracy"] = accuracies;
  }
  py::list health;
  for (const StepHealth& step : report.health) {
    py::dict one = health_dict(step.health);
    one["time"] = has_time ? py::cast(step.time) : py::none();
    one["samples"] = step.samples;
    health.append(one);
  }
  dict["health"] = health;
  return dict;
}

const FeatureStream& rows_of(const FeatureStream& stream) { return stream; }
const FeatureStream& rows_of(const ImageStream& stream) { return stream.pixels; }

template <typename AnyStream>
py::dict evaluated(SharedAdapter& adapter, const AnyStream& stream, std::optional<Index> batch_size,
                   const std::string& order, std::uint64_t seed, std::optional<double> since,
                   std::optional<double> until, bool sort_by_time) {
  const BatchSettings settings{
      .batch_size = batch_size,
      .order = chosen<Order>(order, "order",
                             {{"as-is", Order::kAsIs}, {"shuffled", Order::kShuffled}, {"sorted", Order::kSorted}}),
      .seed = seed,
      .since = since,
      .until = until,
      .sort_by_time = sort_by_time};
  return report_dict(adapter.evaluate(stream, settings), rows_of(stream).has_time());
}

}  // namespace

void add_runs(py::module_& module) {
  module.def("_simulate", &simulated);
  module.def("_evaluate", &evaluated<FeatureStream>);
  module.def("_evaluate", &evaluated<ImageStream>);
}

}  // namespace stad::python
