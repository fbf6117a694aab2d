#include "health.hpp"

#include "arrays.hpp"

namespace stad::python {

py::dict health_dict(const Health& health) {
  py::dict dict;
  if (health.is_told()) dict["confidence"] = health.confidence;
  if (health.accuracy.rows > 0)
    dict["estimated_accuracy"] = py::make_tuple(health.accuracy.value(), health.accuracy.low(), health.accuracy.high());
  if (health.compared > 0) dict["flip_rate"] = health.flip_rate();
  if (health.guard) {
    dict["trust"] = health.guard->trust;
    dict["persistence"] = health.guard->persistence;
    dict["reliability"] = health.guard->reliability;
  }
  if (health.log_likelihood) dict["log_likelihood"] = *health.log_likelihood;
  if (health.dispersion) dict["dispersion"] = *health.dispersion;
  if (!health.movement.empty()) dict["movement"] = py::array_t<double>(health.movement.size(), health.movement.data());
  if (!health.evidence.empty()) dict["evidence"] = py::array_t<double>(health.evidence.size(), health.evidence.data());
  return dict;
}

}  // namespace stad::python
