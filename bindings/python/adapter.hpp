#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include <pybind11/pybind11.h>

#include <stad/methods.hpp>
#include <stad/eval/pipeline.hpp>

#include "network.hpp"

namespace stad::python {

/// An answer that arrays look into: it lives as long as they do.
struct Answer {
  Predictions predictions;
};

/// An adapter for threads that know nothing of each other: one call at a time, and the interpreter goes on meanwhile.
class SharedAdapter {
 public:
  SharedAdapter(const std::string& method, const SourceModel& source, const OptionValues& options);
  /// Its rows are images.
  SharedAdapter(const std::string& method, const Network& network, const OptionValues& options);
  /// The oracle of a network.
  SharedAdapter(const ImageStream& labelled, const Network& network, const OptionValues& options);

  std::shared_ptr<Answer> adapt(const py::object& features, std::optional<double> time, const py::object& ids);
  std::shared_ptr<Answer> answer(const py::object& features) const;
  std::pair<Index, Index> observe(const py::object& ids_or_features, const py::object& labels, bool features);
  RunReport evaluate(const FeatureStream& stream, const BatchSettings& settings);
  RunReport evaluate(const ImageStream& stream, const BatchSettings& settings);

  py::bytes state() const;
  void restore(const py::bytes& state);
  Matrix prototypes() const;
  Health health() const;
  void watch(const std::string& level);

  std::string method() const { return std::string(adapter_->method()); }
  std::vector<OptionSetting> options() const { return adapter_->options(); }

 private:
  /// Says who is at work while it lives.
  class AtWork {
   public:
    explicit AtWork(std::atomic<std::thread::id>& worker) : worker_(worker) { worker_ = std::this_thread::get_id(); }
    ~AtWork() { worker_ = std::thread::id(); }
    AtWork(const AtWork&) = delete;
    AtWork& operator=(const AtWork&) = delete;

   private:
    std::atomic<std::thread::id>& worker_;
  };

  /// work() without the interpreter's lock and with the adapter's own, in that order: whoever waits for the adapter
  /// shall not keep the interpreter waiting. Raises where this very thread is at work already, in a signal handler that
  /// evaluate() let run: it would wait for itself.
  template <typename Work>
  auto alone(const Work& work) const {
    const py::gil_scoped_release release;
    if (worker_ == std::this_thread::get_id())
      throw std::runtime_error("the adapter is at work in this thread, must be done before it is asked again");
    const std::scoped_lock lock(mutex_);
    const AtWork at_work(worker_);
    return work();
  }

  /// Features, or images where it has a network.
  /// @param name of the features, for messages
  Rows input_of(const py::handle& object, const char* name) const;

  void check_shape(const ImageStream& images, const char* name) const;

  AdapterPointer adapter_;
  std::optional<ImageShape> shape_;  ///< none: rows are features
  mutable std::mutex mutex_;
  mutable std::atomic<std::thread::id> worker_;  ///< who holds the mutex
};

}  // namespace stad::python
