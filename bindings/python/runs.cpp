#include "runs.hpp"

#include <pybind11/stl.h>

#include <stad/eval/simulate.hpp>

#include "adapter.hpp"

namespace stad::python {
namespace {

/// The value of the named choice; raises ValueError that lists the choices.
template <typename T>
T parse_choice(const std::string& name, const char* argument, const std::vector<std::pair<std::string, T>>& choices) {
  std::string all;
  for (const auto& [choice, value] : choices) {
    if (choice == name) return value;
    all += (all.empty() ? "" : ", ") + choice;
  }
  throw py::value_error(std::string(argument) + " is '" + name + "', must be one of " + all);
}

py::tuple simulate_tuple(const std::string& drift, Index steps, Index samples, Index classes, Index dimension,
                         double strength, double noise, bool label_shift, bool scattered, bool unknown_class,
                         std::uint64_t seed) {
  const SimulationSettings settings{.drift = parse_choice<Drift>(drift, "drift",
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
  auto result = [&] {
    const py::gil_scoped_release release;
    return simulate(settings);
  }();
  Simulation simulation = need(std::move(result));
  return py::make_tuple(std::move(simulation.source), std::move(simulation.stream));
}

template <typename T>
py::array_t<T> vector_copy(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

void add_evaluation(const Evaluation& evaluation, py::dict& dict) {
  dict["accuracy"] = evaluation.pooled;
  dict["accuracy_step_mean"] = evaluation.step_mean;
  dict["calibration_error"] = evaluation.calibration_error;
  py::list times, accuracies;
  for (const StepAccuracy& step : evaluation.per_step) {
    times.append(step.time);
    accuracies.append(step.accuracy);
  }
  dict["step_time"] = times;
  dict["step_accuracy"] = accuracies;
}

py::dict late_label_dict(const LateLabels& late, const Observed& labels) {
  py::dict dict;
  dict["delay"] = late.delay;
  dict["share"] = late.share;
  dict["used"] = labels.used;
  dict["forgotten"] = labels.forgotten;
  return dict;
}

/// @param late of the settings of the run
py::dict report_dict(const RunReport& report, const std::optional<LateLabels>& late, bool has_time) {
  py::dict dict;
  const Predictions& predictions = report.predictions;
  dict["labels"] = vector_copy(predictions.labels);
  dict["probabilities"] = py::array_t<float>({predictions.probabilities.rows(), predictions.probabilities.cols()},
                                             predictions.probabilities.data());
  dict["samples"] = report.samples;
  dict["batches"] = report.batches;
  dict["seconds"] = report.adapt_seconds;
  if (report.evaluation) add_evaluation(*report.evaluation, dict);
  if (late) dict["late_labels"] = late_label_dict(*late, report.labels);
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

py::list candidate_list(const std::vector<CandidateStatus>& candidates) {
  py::list list;
  for (const CandidateStatus& candidate : candidates) {
    py::dict one;
    one["name"] = candidate.name;
    one["answers"] = candidate.answers;
    one["live"] = candidate.live;
    one["wealth"] = candidate.wealth;
    one["threshold"] = candidate.threshold;
    one["watch"] = candidate.watch;
    one["attempt"] = candidate.attempt;
    list.append(one);
  }
  return list;
}

const FeatureStream& feature_rows(const FeatureStream& stream) { return stream; }
const FeatureStream& feature_rows(const ImageStream& stream) { return stream.pixels; }

/// stad-safe receives the labels that it requests, other methods those of all rows.
std::optional<LateLabels> late_labels(const SharedAdapter& adapter, std::optional<Index> delay,
                                      std::optional<double> share) {
  if (!delay && share) throw py::value_error("label_share requires label_delay");
  if (!delay) return std::nullopt;
  return LateLabels{.delay = *delay, .share = share.value_or(1), .requested = adapter.method() == "stad-safe"};
}

template <typename AnyStream>
py::dict evaluate_dict(SharedAdapter& adapter, const AnyStream& stream, std::optional<Index> batch_size,
                       const std::string& order, std::uint64_t seed, std::optional<double> since,
                       std::optional<double> until, bool sort_by_time, std::optional<Index> label_delay,
                       std::optional<double> label_share) {
  const BatchSettings settings{
      .batch_size = batch_size,
      .order = parse_choice<Order>(
          order, "order", {{"as-is", Order::kAsIs}, {"shuffled", Order::kShuffled}, {"sorted", Order::kSorted}}),
      .seed = seed,
      .since = since,
      .until = until,
      .sort_by_time = sort_by_time,
      .late_labels = late_labels(adapter, label_delay, label_share)};
  return report_dict(adapter.evaluate(stream, settings), settings.late_labels, feature_rows(stream).has_time());
}

}  // namespace

py::dict health_dict(const Health& health) {
  py::dict dict;
  if (health.is_told()) dict["confidence"] = health.confidence;
  if (health.warning) dict["warning"] = name_of(*health.warning);
  if (health.compared > 0) dict["flip_rate"] = health.flip_rate();
  if (const auto answers = health.answers(); !answers.empty()) dict["answers"] = answers;
  if (health.guard) {
    dict["held_by"] = name_of(health.guard->held_by);
    dict["zeta"] = health.guard->zeta;
    dict["excess"] = health.guard->excess;
    dict["autocorrelation"] = health.guard->autocorrelation;
  }
  if (!health.candidates.empty()) {
    dict["candidates"] = candidate_list(health.candidates);
    dict["pending_requests"] = health.pending_requests;
  }
  if (health.dispersion) dict["dispersion"] = *health.dispersion;
  if (!health.movement.empty()) dict["movement"] = vector_copy(health.movement);
  if (!health.evidence.empty()) dict["evidence"] = vector_copy(health.evidence);
  return dict;
}

void add_runs(py::module_& module) {
  module.def("_simulate", &simulate_tuple);
  module.def("_evaluate", &evaluate_dict<FeatureStream>);
  module.def("_evaluate", &evaluate_dict<ImageStream>);
}

}  // namespace stad::python
