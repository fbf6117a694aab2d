#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <pybind11/pybind11.h>

#include <stad/methods.hpp>
#include <stad/pipeline.hpp>

#include "arrays.hpp"

namespace stad::python {

/// An answer that arrays look into: it lives as long as they do.
struct Answer {
  Predictions predictions;
};

/// An adapter for threads that know nothing of each other: one call at a time, and the interpreter goes on meanwhile.
class SharedAdapter {
 public:
  SharedAdapter(const std::string& method, const SourceModel& source, const OptionValues& options)
      : adapter_(need(make_adapter(method, source, options))) {}

  std::shared_ptr<Answer> adapt(const py::object& features, std::optional<double> time, const py::object& ids);
  std::shared_ptr<Answer> answer(const py::object& features) const;
  std::pair<Index, Index> observe(const py::object& ids_or_features, const py::object& labels, bool features);
  RunReport evaluate(const FeatureStream& stream, const BatchSettings& settings);

  py::bytes state() const;
  void restore(const py::bytes& state);
  Matrix prototypes() const;
  Health health() const;
  void watch(const std::string& level);

  std::string method() const { return std::string(adapter_->method()); }
  std::vector<OptionSetting> options() const { return adapter_->options(); }
  const SourceModel& source() const { return adapter_->source(); }

 private:
  /// work() without the interpreter's lock and with the adapter's own, in that order: whoever waits for the adapter
  /// shall not keep the interpreter waiting.
  template <typename Work>
  auto alone(const Work& work) const {
    const py::gil_scoped_release release;
    const std::scoped_lock lock(mutex_);
    return work();
  }

  AdapterPointer adapter_;
  mutable std::mutex mutex_;
};

}  // namespace stad::python
