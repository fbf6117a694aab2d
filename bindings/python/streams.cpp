#include "streams.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <stad/backbone.hpp>
#include <stad/files.hpp>

#include "images.hpp"

namespace stad::python {
namespace {

void check_count(const FeatureStream& stream, std::size_t count, const char* field) {
  if (count == static_cast<std::size_t>(stream.features.rows)) return;
  throw py::value_error(std::string(field) + ": has " + std::to_string(count) + " values for " +
                        std::to_string(stream.features.rows) + " rows, must have one for each row");
}

FeatureStream stream_of(Matrix rows, const py::object& labels, const py::object& time, const std::string& name) {
  FeatureStream stream = FeatureStream::from(std::move(rows));
  stream.name = name;
  if (!labels.is_none()) check_count(stream, (stream.labels = integers_of(labels, "labels")).size(), "labels");
  if (!time.is_none()) check_count(stream, (stream.time = doubles_of(time, "time")).size(), "time");
  return stream;
}

FeatureStream make_stream(const py::object& features, const py::object& labels, const py::object& time,
                          const std::string& name) {
  return stream_of(matrix_of(features, "features"), labels, time, name);
}

ImageStream make_images(const py::object& images, const py::object& labels, const py::object& time,
                        const std::string& name) {
  const auto [rows, shape] = images_of(images, "images");
  return {shape, stream_of(copied(rows.view), labels, time, name)};
}

template <typename T>
py::object copy_or_none(const std::vector<T>& values) {
  if (values.empty()) return py::none();
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// Read-only view of the rows of a stream.
py::array_t<float> rows_view(const FeatureStream& stream, const py::object& owner) {
  const MatrixView view = stream.features;
  constexpr auto kSize = static_cast<py::ssize_t>(sizeof(float));
  return read_only(py::array_t<float>({view.rows, view.cols}, {view.stride * kSize, kSize}, view.data, owner));
}

void add_feature_stream(py::module_& module) {
  py::class_<FeatureStream>(module, "Stream", "A recorded stream of embeddings with optional labels and times.")
      .def(py::init(&make_stream), py::arg("features"), py::arg("labels") = py::none(), py::arg("time") = py::none(),
           py::arg("name") = "stream")
      .def_readonly("name", &FeatureStream::name, "Name of the stream in error messages.")
      .def_property_readonly(
          "features", [](const py::object& self) { return rows_view(self.cast<const FeatureStream&>(), self); },
          "N x D, read-only")
      .def_property_readonly(
          "labels", [](const FeatureStream& self) { return copy_or_none(self.labels); },
          "N class indices, -1 for rows without a label, or None")
      .def_property_readonly(
          "time", [](const FeatureStream& self) { return copy_or_none(self.time); }, "N times, or None")
      .def("__len__", [](const FeatureStream& self) { return self.features.rows; })
      .def(py::pickle(
          [](const py::object& self) {
            return py::make_tuple(self.attr("features").attr("copy")(), self.attr("labels"), self.attr("time"),
                                  self.attr("name"));
          },
          [](const py::tuple& parts) {
            return make_stream(parts[0], parts[1], parts[2], parts[3].cast<std::string>());
          }));
}

py::object images_view(const py::object& self) {
  const auto& stream = self.cast<const ImageStream&>();
  return rows_view(stream.pixels, self)
      .attr("reshape")(-1, stream.shape.channels, stream.shape.height, stream.shape.width);
}

void add_image_stream(py::module_& module) {
  py::class_<ImageStream>(
      module, "ImageStream",
      "A recorded stream of images with optional labels and times.\n\n"
      "uint8 is N x H x W x C and scaled by 1/255; floats are N x C x H x W and not scaled; N x H x W\n"
      "has one channel.")
      .def(py::init(&make_images), py::arg("images"), py::arg("labels") = py::none(), py::arg("time") = py::none(),
           py::arg("name") = "images")
      .def_property_readonly(
          "name", [](const ImageStream& self) { return self.pixels.name; }, "Name of the stream in error messages.")
      .def_property_readonly(
          "shape", [](const ImageStream& self) { return shape_tuple(self.shape); },
          "(channels, height, width) of an image")
      .def_property_readonly("images", &images_view, "N x C x H x W, read-only")
      .def_property_readonly(
          "labels", [](const ImageStream& self) { return copy_or_none(self.pixels.labels); },
          "N class indices, -1 for rows without a label, or None")
      .def_property_readonly(
          "time", [](const ImageStream& self) { return copy_or_none(self.pixels.time); }, "N times, or None")
      .def("__len__", [](const ImageStream& self) { return self.pixels.features.rows; })
      .def(py::pickle(
          [](const py::object& self) {
            return py::make_tuple(self.attr("images").attr("copy")(), self.attr("labels"), self.attr("time"),
                                  self.attr("name"));
          },
          [](const py::tuple& parts) {
            return make_images(parts[0], parts[1], parts[2], parts[3].cast<std::string>());
          }));
}

template <typename Read>
auto read_unlocked(const Read& reader, const std::filesystem::path& path) {
  const py::gil_scoped_release release;
  return need(reader(path.string()));
}

}  // namespace

void add_streams(py::module_& module) {
  add_feature_stream(module);
  add_image_stream(module);
  module.def(
      "read_stream",
      [](const std::filesystem::path& path) {
        return read_unlocked([](const auto& from) { return stad::read_stream(from); }, path);
      },
      py::arg("path"), "Reads the stream of an npz, npy or csv file.");
  module.def(
      "read_images",
      [](const std::filesystem::path& path) {
        return read_unlocked([](const auto& from) { return stad::read_images(from); }, path);
      },
      py::arg("path"), "Reads the images of an npz file.");
  module.def("_split_labelled", [](const ImageStream& images, const OptionValues& options) {
    LabelledSplit split = need(split_labelled(images, options));
    return py::make_tuple(std::move(split.labelled), std::move(split.rest));
  });
}

}  // namespace stad::python
