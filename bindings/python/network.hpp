#pragma once

#include <stad/backbone.hpp>

#include "images.hpp"

namespace stad::python {

/// A network for images of one shape. Keeps the TorchScript file, so that it can be pickled.
class Network {
 public:
  Network(py::bytes file, const ImageShape& shape, std::string head);

  Network with_source(const SourceModel& source) const;
  Matrix features(const py::object& images) const;

  const Backbone& backbone() const { return *backbone_; }
  const ImageShape& shape() const { return shape_; }
  const std::string& head() const { return head_; }
  const py::bytes& file() const { return file_; }

 private:
  py::bytes file_;
  ImageShape shape_;
  std::string head_;  ///< as requested; empty to search for it
  BackbonePointer backbone_;
};

void add_networks(py::module_& module);

}  // namespace stad::python
