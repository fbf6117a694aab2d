#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include <stad/backbone.hpp>
#include <stad/methods.hpp>
#include <stad/options.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

#include "common/error.hpp"
#include "serving/inference_statistics.hpp"

namespace stad::serving {

/// Which classifier answers requests, and whether the streams of a model adapt.
enum class Mode {
  kActive,  ///< streams adapt, the adapted classifier answers
  kShadow,  ///< streams adapt, the source classifier answers
  kFrozen,  ///< the adapted classifier answers and no longer adapts
};

std::string_view name_of(Mode mode);
/// Throws AppError for an unknown name.
Mode mode_of(std::string_view name);

/// How a model is served.
struct ModelSpecification {
  std::string name;
  std::string method = "stad-safe";
  OptionValues options;
  Mode mode = Mode::kActive;
  Index max_batch = 0;                     ///< rows of queued requests of one stream joined in a step; 0: no batching
  std::chrono::microseconds max_delay{0};  ///< longest wait of a request for others of its batch
  bool is_clustered = false;               ///< its streams are held by the workers of a cluster
};

/// A source classifier, a method and its options. Shared by its streams; immutable except for the mode.
class ServedModel {
 public:
  /// Fails for an invalid name, option or method.
  static Result<std::shared_ptr<ServedModel>> create(ModelSpecification specification, const SourceModel& source);
  /// With a network in front of the classifier: requests carry images.
  static Result<std::shared_ptr<ServedModel>> create(ModelSpecification specification, const BackbonePointer& network,
                                                     ImageShape shape);

  const ModelSpecification& specification() const { return specification_; }
  const std::string& name() const { return specification_.name; }
  const SourceModel& source() const { return unadapted_->source(); }
  /// Shape of the images it takes; none: it takes features.
  const std::optional<ImageShape>& image_shape() const { return image_shape_; }
  Index input_dimension() const { return unadapted_->input_dimension(); }
  /// All options of the method with the values in force.
  const std::vector<OptionSetting>& options() const { return options_; }
  Mode mode() const { return mode_.load(std::memory_order_relaxed); }
  void set_mode(Mode mode) { mode_.store(mode, std::memory_order_relaxed); }

  /// Stops or resumes serving: requests are rejected, and what is in memory can still be written.
  void close() { is_retired_ = true; }
  void reopen() { is_retired_ = false; }
  /// Marks the model as removed. Waits for running if_served() calls, so that nothing of it is written afterwards.
  void retire();
  /// Whether the model is closed or retired.
  bool is_retired() const { return is_retired_; }
  /// Calls `write` unless the model is retired; returns whether it did.
  bool if_served(const std::function<void()>& write) const;
  /// Throws AppError (404) where the model is retired.
  void check_is_served() const;

  AdapterPointer make_adapter() const { return need(make_(specification_.method, specification_.options)); }
  /// Predictions of the unadapted classifier. Callable from several threads at once.
  Status predict_source(MatrixView features, Predictions& answer) const {
    return unadapted_->predict(features, answer);
  }
  /// Estimated memory of one stream in bytes.
  std::int64_t stream_bytes() const { return stream_bytes_; }

  std::atomic<std::int64_t> batches{0};  ///< adapted to since the start of the program
  std::atomic<std::int64_t> rows{0};
  InferenceStatistics statistics;

 private:
  using Make = std::function<Result<AdapterPointer>(const std::string& method, const OptionValues& options)>;

  ServedModel(ModelSpecification specification, Make make, const Adapter& first, AdapterPointer unadapted);
  static Result<std::shared_ptr<ServedModel>> create(ModelSpecification specification, Make make);

  ModelSpecification specification_;
  Make make_;
  std::optional<ImageShape> image_shape_;
  std::vector<OptionSetting> options_;
  std::atomic<Mode> mode_;
  std::atomic<bool> is_retired_{false};  ///< requests are rejected
  bool is_read_only_ = false;            ///< writes are rejected; protected by retiring_
  mutable std::shared_mutex retiring_;
  AdapterPointer unadapted_;
  std::int64_t stream_bytes_;
};

using ModelPointer = std::shared_ptr<ServedModel>;

/// The served models by name. Thread-safe.
class Models {
 public:
  /// Throws AppError (409) where the name is taken.
  void add(ModelPointer model);
  void remove(const std::string& name);
  /// Throws AppError (404) where there is none.
  ModelPointer find(std::string_view name) const;
  ModelPointer find_or_null(std::string_view name) const;
  std::vector<ModelPointer> all() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, ModelPointer, std::less<>> models_;
};

}  // namespace stad::serving
