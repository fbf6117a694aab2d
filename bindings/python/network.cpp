#include "network.hpp"

#include <fmt/format.h>

namespace stad::python {
namespace {

BackbonePointer opened(const py::bytes& file, const ImageShape& shape, const std::string& head) {
  const auto bytes = static_cast<std::string_view>(file);
  const py::gil_scoped_release release;
  if (const auto found = find_torch(); !found) throw py::import_error(found.error().message);
  BackbonePointer backbone = need(backbone_from_bytes(bytes, head));
  need(backbone->features(MatrixView(nullptr, 0, shape.size()), shape));  // zero images: only checks the shape
  return backbone;
}

py::dict info_of(const Network& network) {
  const BackboneInfo& info = network.backbone().info();
  py::dict dict;
  dict["head"] = info.head;
  dict["parameters"] = info.parameters;
  dict["batch_norms"] = info.batch_norms;
  dict["layer_norms"] = info.layer_norms;
  dict["group_norms"] = info.group_norms;
  return dict;
}

std::string summary_of(const Network& network) {
  const SourceModel& source = network.backbone().source();
  const BackboneInfo& info = network.backbone().info();
  return fmt::format("Network(images of {}, head {} ({} -> {}), {} parameters)", shape_text(network.shape()), info.head,
                     source.dimension(), source.classes(), info.parameters);
}

py::tuple pickled_network(const Network& network) {
  return py::make_tuple(network.file(), shape_tuple(network.shape()), network.head(), network.backbone().source());
}

Network unpickled_network(const py::tuple& parts) {
  return Network(parts[0], shape_of(parts[1]), parts[2].cast<std::string>())
      .with_source(parts[3].cast<const SourceModel&>());
}

}  // namespace

Network::Network(py::bytes file, const ImageShape& shape, std::string head)
    : file_(std::move(file)), shape_(shape), head_(std::move(head)), backbone_(opened(file_, shape_, head_)) {}

Network Network::with_source(const SourceModel& source) const {
  Network named = *this;
  named.backbone_ = need(backbone_->with_source(source));
  return named;
}

Matrix Network::features(const py::object& images) const {
  const Rows rows = image_rows_of(images, shape_, "images");
  const py::gil_scoped_release release;
  return need(backbone_->features(rows.view, shape_));
}

void add_networks(py::module_& module) {
  py::class_<Network>(module, "Network",
                      "A trained TorchScript network that maps images to embeddings; see stad.open_network().\n\n"
                      "Adapters made from a network instead of a SourceModel take images.")
      .def(py::init([](py::bytes file, const py::object& shape, std::string head) {
             return Network(std::move(file), shape_of(shape), std::move(head));
           }),
           py::arg("file"), py::arg("shape"), py::arg("head") = "")
      .def_property_readonly(
          "source", [](const Network& self) -> const SourceModel& { return self.backbone().source(); },
          "The last layer, from which every method starts.")
      .def_property_readonly(
          "shape", [](const Network& self) { return shape_tuple(self.shape()); },
          "(channels, height, width) of an image")
      .def_property_readonly("info", &info_of,
                             "Name of the head, number of parameters, number of norm layers of each kind.")
      .def("with_source", &Network::with_source, py::arg("source"),
           "The same network with the feature mean and class names of `source`, whose weights must be those of "
           "the network's head.")
      .def(
          "features", [](const Network& self, const py::object& images) { return owned(self.features(images)); },
          py::arg("images"), "N x D: embeddings of the images under the network's own batch norm statistics.")
      .def("__repr__", &summary_of)
      .def(py::pickle(&pickled_network, &unpickled_network));
}

}  // namespace stad::python
