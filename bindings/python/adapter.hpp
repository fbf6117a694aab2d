#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include <pybind11/pybind11.h>

#include <stad/eval/pipeline.hpp>
#include <stad/methods.hpp>

#include "network.hpp"

namespace stad::python {

/// Predictions of one batch. Arrays are views of it and keep it alive.
struct Answer {
  Predictions predictions;
};

/// An adapter that several Python threads may use: calls are serialised, and run without the interpreter's lock.
class SharedAdapter {
 public:
  SharedAdapter(const std::string& method, const SourceModel& source, const OptionValues& options);
  /// Its inputs are images.
  SharedAdapter(const std::string& method, const Network& network, const OptionValues& options);
  /// The oracle of a network.
  SharedAdapter(const ImageStream& labelled, const Network& network, const OptionValues& options);

  std::shared_ptr<Answer> adapt(const py::object& features, std::optional<double> time, const py::object& ids);
  std::shared_ptr<Answer> answer(const py::object& features) const;
  /// Both return the numbers of labels used and forgotten.
  std::pair<Index, Index> observe(const py::object& ids, const py::object& labels);
  std::pair<Index, Index> observe_rows(const py::object& features, const py::object& labels, bool uniform_sample);
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
  /// Records the thread that holds the mutex for the lifetime of this object.
  class ThreadMark {
   public:
    explicit ThreadMark(std::atomic<std::thread::id>& worker) : worker_(worker) {
      worker_ = std::this_thread::get_id();
    }
    ~ThreadMark() { worker_ = std::thread::id(); }
    ThreadMark(const ThreadMark&) = delete;
    ThreadMark& operator=(const ThreadMark&) = delete;

   private:
    std::atomic<std::thread::id>& worker_;
  };

  /// Calls work() without the interpreter's lock and with the adapter's. The interpreter's lock is released first, so
  /// that waiting for the adapter does not block other Python threads. Raises if this thread holds the adapter already,
  /// which happens in a signal handler during evaluate() and would deadlock.
  template <typename Work>
  auto exclusively(const Work& work) const {
    const py::gil_scoped_release release;
    if (worker_ == std::this_thread::get_id())
      throw std::runtime_error("the adapter is in use by this thread; call it after the current call has returned");
    const std::scoped_lock lock(mutex_);
    const ThreadMark mark(worker_);
    return work();
  }

  /// Features, or images if the adapter has a network.
  /// @param name of the argument in error messages
  Rows input_of(const py::handle& object, const char* name) const;

  void check_shape(const ImageStream& images, const char* name) const;

  AdapterPointer adapter_;
  std::optional<ImageShape> shape_;  ///< of a network's images; without one, inputs are features
  mutable std::mutex mutex_;
  mutable std::atomic<std::thread::id> worker_;  ///< the thread that holds the mutex
};

}  // namespace stad::python
