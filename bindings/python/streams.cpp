#include "streams.hpp"

#include <pybind11/stl.h>

#include <stad/files.hpp>
#include <stad/simulate.hpp>

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

FeatureStream make_stream(const py::object& features, const py::object& labels, const py::object& time,
                          const std::string& name) {
  FeatureStream stream = FeatureStream::from(matrix_of(features, "features"));
  stream.name = name;
  const auto check = [&](std::size_t count, const char* field) {
    if (count != static_cast<std::size_t>(stream.features.rows))
      throw py::value_error(std::string(field) + ": there are " + std::to_string(count) + " for " +
                            std::to_string(stream.features.rows) + " rows, must be as many");
  };
  if (!labels.is_none()) check((stream.labels = integers_of(labels, "labels")).size(), "labels");
  if (!time.is_none()) check((stream.time = doubles_of(time, "time")).size(), "time");
  return stream;
}

template <typename T>
py::object copied(const std::vector<T>& values) {
  if (values.empty()) return py::none();
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

void add_stream(py::module_& module) {
  py::class_<FeatureStream>(module, "Stream", "A recorded stream: embeddings in order, with labels and times.")
      .def(py::init(&make_stream), py::arg("features"), py::arg("labels") = py::none(), py::arg("time") = py::none(),
           py::arg("name") = "stream")
      .def_readonly("name", &FeatureStream::name)
      .def_property_readonly(
          "features",
          [](const py::object& self) {
            const MatrixView view = self.cast<const FeatureStream&>().features;
            constexpr auto kSize = static_cast<py::ssize_t>(sizeof(float));
            py::array_t<float> array({view.rows, view.cols}, {view.stride * kSize, kSize}, view.data, self);
            array.attr("setflags")(py::arg("write") = false);
            return array;
          })
      .def_property_readonly("labels", [](const FeatureStream& self) { return copied(self.labels); })
      .def_property_readonly("time", [](const FeatureStream& self) { return copied(self.time); })
      .def("__len__", [](const FeatureStream& self) { return self.features.rows; });
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

py::dict evaluated(SharedAdapter& adapter, const FeatureStream& stream, std::optional<Index> batch_size,
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
  return report_dict(adapter.evaluate(stream, settings), stream.has_time());
}

}  // namespace

void add_streams(py::module_& module) {
  add_stream(module);
  module.def(
      "read_stream", [](const std::string& path) { return need(read_stream(path)); }, py::arg("path"));
  module.def("_simulate", &simulated);
  module.def("_evaluate", &evaluated);
}

}  // namespace stad::python
