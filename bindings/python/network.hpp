#pragma once

#include <stad/backbone.hpp>

#include "images.hpp"

namespace stad::python {

/// A network with the images it is for, and the file it came from, so that it can be pickled.
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
  std::string head_;  ///< as it was asked for
  BackbonePointer backbone_;
};

void add_networks(py::module_& module);

}  // namespace stad::python
