#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <stad/files.hpp>
#include <stad/threads.hpp>
#include <stad/version.hpp>

#include "adapter.hpp"
#include "runs.hpp"
#include "streams.hpp"

namespace stad::python {
namespace {

using AnswerPointer = std::shared_ptr<Answer>;

SourceModel make_source(const py::object& weight, const py::object& bias, const py::object& mean,
                        const std::optional<std::vector<std::string>>& classes) {
  return need(SourceModel::create(
      matrix_of(weight, "weight"), bias.is_none() ? std::vector<float>() : floats_of(bias, "bias"),
      mean.is_none() ? std::vector<float>() : floats_of(mean, "mean"), classes.value_or(std::vector<std::string>())));
}

template <typename T>
py::object array_or_none(std::span<const T> values, const py::object& owner) {
  if (values.empty()) return py::none();
  return view_of<T>(values.data(), {static_cast<py::ssize_t>(values.size())}, owner);
}

py::array_t<float> matrix_view(const Matrix& matrix, const py::object& owner) {
  return view_of<float>(matrix.data(), {matrix.rows(), matrix.cols()}, owner);
}

py::dict card_dict(const py::object& self) {
  const SourceCard& card = self.cast<const SourceModel&>().card();
  py::dict dict;
  if (card.temperature) dict["temperature"] = *card.temperature;
  if (!card.frequencies.empty()) dict["frequencies"] = array_or_none(std::span<const float>(card.frequencies), self);
  if (!card.means.empty()) dict["means"] = matrix_view(card.means, self);
  if (!card.variance.empty()) dict["variance"] = array_or_none(std::span<const float>(card.variance), self);
  if (card.accuracy) dict["accuracy"] = *card.accuracy;
  if (card.confidence) dict["confidence"] = *card.confidence;
  return dict;
}

/// The inverse of card_dict().
SourceCard card_from(const py::dict& dict) {
  const auto number = [&](const char* name) {
    return dict.contains(name) ? std::optional(dict[name].cast<double>()) : std::nullopt;
  };
  const auto floats = [&](const char* name) {
    return dict.contains(name) ? floats_of(dict[name], name) : std::vector<float>();
  };
  return {.temperature = number("temperature"),
          .frequencies = floats("frequencies"),
          .means = dict.contains("means") ? matrix_of(dict["means"], "means") : Matrix(),
          .variance = floats("variance"),
          .accuracy = number("accuracy"),
          .confidence = number("confidence")};
}

/// Keeps attributes, such as the labels that from_sklearn() attaches.
py::object with_card(const py::object& self, const py::object& features, const py::object& labels) {
  const Rows rows = rows_of(features, "features");
  const auto classes = integers_of(labels, "labels");
  py::object made = py::cast(need(self.cast<const SourceModel&>().with_card(rows.view, classes)));
  made.attr("__dict__").attr("update")(self.attr("__dict__"));
  return made;
}

std::string source_text(const SourceModel& source) {
  return "SourceModel(" + std::to_string(source.classes()) + " classes, " + std::to_string(source.dimension()) +
         " dimensions)";
}

py::tuple pickled_source(const py::object& self) {
  const auto& source = self.cast<const SourceModel&>();
  return py::make_tuple(self.attr("weight").attr("copy")(), self.attr("bias"), self.attr("mean"),
                        source.has_class_names() ? py::cast(source.class_names()) : py::none(), card_dict(self),
                        self.attr("__dict__"));
}

std::pair<SourceModel, py::dict> unpickled_source(const py::tuple& parts) {
  const auto classes = parts[3].cast<std::optional<std::vector<std::string>>>();
  const SourceModel head = make_source(parts[0], parts[1], parts[2], classes);
  return {need(head.with_card(card_from(parts[4]))), parts[5].cast<py::dict>()};
}

void add_source_model(py::module_& module) {
  // dynamic_attr: from_sklearn() attaches the classifier's labels.
  py::class_<SourceModel>(module, "SourceModel", py::dynamic_attr(),
                          "The last layer of a trained network, from which every method starts.\n\n"
                          "weight: K x D; bias: K values; mean: mean of the training features, D values;\n"
                          "classes: K names.")
      .def(py::init(&make_source), py::arg("weight"), py::arg("bias") = py::none(), py::arg("mean") = py::none(),
           py::arg("classes") = py::none())
      .def_property_readonly(
          "weight", [](const py::object& self) { return matrix_view(self.cast<const SourceModel&>().weight(), self); },
          "K x D")
      .def_property_readonly(
          "bias", [](const py::object& self) { return array_or_none(self.cast<const SourceModel&>().bias(), self); },
          "K, or None")
      .def_property_readonly(
          "mean", [](const py::object& self) { return array_or_none(self.cast<const SourceModel&>().mean(), self); },
          "D, the mean of the training features, or None")
      .def_property_readonly("classes", &SourceModel::class_names,
                             "K names; class indices as text if no names were given")
      .def_property_readonly("named", &SourceModel::has_class_names, "Whether names were given.")
      .def_property_readonly("card", &card_dict,
                             "The fields of the card that are present: temperature, frequencies, means, variance, "
                             "accuracy, confidence.")
      .def("with_card", &with_card, py::arg("features"), py::arg("labels"),
           "The same head with a card computed from labelled rows, which it was not fitted to. Without a card there is "
           "no warning level.")
      .def("__repr__", &source_text)
      .def(py::pickle(&pickled_source, &unpickled_source));
}

void add_answer(py::module_& module) {
  const auto answer = [](const py::object& self) -> const Predictions& {
    return self.cast<const Answer&>().predictions;
  };
  py::class_<Answer, AnswerPointer>(module, "Answer", "Predictions of one batch. Its arrays are read-only views.")
      .def_property_readonly(
          "labels",
          [=](const py::object& self) {
            const auto& labels = answer(self).labels;
            return view_of<std::int64_t>(labels.data(), {static_cast<py::ssize_t>(labels.size())}, self);
          },
          "N class indices")
      .def_property_readonly(
          "probabilities", [=](const py::object& self) { return matrix_view(answer(self).probabilities, self); },
          "N x K, rows sum to one")
      .def_property_readonly(
          "undirected", [](const Answer& self) { return self.predictions.undirected; },
          "Number of rows without a direction, which adaptation ignored")
      .def_property_readonly(
          "label_requests",
          [=](const py::object& self) {
            const auto& rows = answer(self).label_requests;
            return view_of<Index>(rows.data(), {static_cast<py::ssize_t>(rows.size())}, self);
          },
          "Rows of the batch whose labels are requested, ascending. Empty except for StadSafe with label_budget, for "
          "batches with ids")
      .def_property_readonly(
          "restarted", [](const Answer& self) { return self.predictions.restarted; },
          "Number of classes that were reset to the source")
      .def_property_readonly(
          "health", [](const Answer& self) { return health_dict(self.predictions.health); },
          "Quantities estimated without labels, by name")
      .def("__len__", [](const Answer& self) { return self.predictions.labels.size(); });
}

py::dict option_dict(const SharedAdapter& adapter) {
  py::dict options;
  for (const auto& option : adapter.options()) options[py::str(option.name)] = option.value;
  return options;
}

void add_adapter(py::module_& module) {
  py::class_<SharedAdapter>(module, "Adapter", "A classifier that adapts to its stream without labels.")
      .def(py::init<const std::string&, const SourceModel&, const OptionValues&>(), py::arg("method"),
           py::arg("source"), py::arg("options"))
      .def(py::init<const std::string&, const Network&, const OptionValues&>(), py::arg("method"), py::arg("network"),
           py::arg("options"))
      .def(py::init<const ImageStream&, const Network&, const OptionValues&>(), py::arg("labelled"), py::arg("network"),
           py::arg("options"))
      .def("adapt", &SharedAdapter::adapt, py::arg("features"), py::arg("time") = py::none(),
           py::arg("ids") = py::none(), "Adapts to a batch, N x D, and returns its predictions.")
      .def("answer", &SharedAdapter::answer, py::arg("features"),
           "Returns the predictions of a batch without adapting.")
      .def("observe", &SharedAdapter::observe, py::arg("ids"), py::arg("labels"),
           "Passes labels of rows adapted to earlier, identified by their ids. Returns the numbers of labels used and "
           "of labels whose rows are no longer kept. StadSafe uses the labels of rows that it requested.")
      .def("observe_rows", &SharedAdapter::observe_rows, py::arg("features"), py::arg("labels"),
           py::arg("uniform_sample") = false,
           "Passes labelled rows with their features. Returns the numbers of rows used and not used.\n\n"
           "uniform_sample: the rows were drawn uniformly at random among recent rows, before their labels were known. "
           "StadSafe then also uses them to decide which candidate answers; otherwise candidates only learn from them.")
      .def("state", &SharedAdapter::state, "The state as bytes, which restore() and the command read.")
      .def("restore", &SharedAdapter::restore, py::arg("state"),
           "Restores a state; later predictions are bit-identical to those of the saved adapter.")
      .def(
          "prototypes", [](const SharedAdapter& self) { return owned(self.prototypes()); },
          "K x D: the current class prototypes, which replace the weights of the last layer.")
      .def(
          "health", [](const SharedAdapter& self) { return health_dict(self.health()); },
          "Health of the current state, independent of a batch: guard, candidates, dispersion and movement, by name.")
      .def("watch", &SharedAdapter::watch, py::arg("level"), "Sets how much health is computed: none, basic or full.")
      .def_property_readonly("method", &SharedAdapter::method, "Name of the method, such as stad-safe.")
      .def_property_readonly("options", &option_dict, "Every option with its value, as text.");
}

py::list option_list(const std::vector<OptionInfo>& options) {
  py::list list;
  for (const auto& option : options)
    list.append(py::make_tuple(option.name, option.default_value, option.rule, option.summary));
  return list;
}

py::list method_list(const std::vector<MethodInfo>& methods) {
  py::list list;
  for (const auto& info : methods) list.append(py::make_tuple(info.name, info.summary, option_list(info.options)));
  return list;
}

}  // namespace

PYBIND11_MODULE(_stad, module) {
  module.attr("__version__") = kVersion;
  add_source_model(module);
  add_answer(module);
  add_networks(module);
  add_streams(module);
  add_adapter(module);
  add_runs(module);
  module.def("methods", [] { return method_list(methods()); });
  module.def("network_methods", [] { return method_list(network_methods()); });
  module.def(
      "read_source", [](const std::filesystem::path& path) { return need(read_source(path.string())); },
      py::arg("path"), "Reads the head of an npz or npy file.");
  module.def("set_threads", &set_threads, py::arg("count"), "Sets the number of threads that the library uses.");
}

}  // namespace stad::python
