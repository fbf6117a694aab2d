#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include <stad/backbone.hpp>
#include <stad/methods.hpp>
#include <stad/options.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

#include "server/refusal.hpp"

namespace stad::server {

/// Whose answers clients get, and whether anything is learned.
enum class Mode {
  kActive,  ///< the adapted classifier answers
  kShadow,  ///< it learns, but the source answers
  kFrozen,  ///< it answers as it stands and learns nothing
};

std::string_view name_of(Mode mode);
/// Throws Refusal.
Mode mode_of(std::string_view name);

/// How a model is to be served.
struct ModelSpecification {
  std::string name;
  std::string method = "stad-safe";
  OptionValues options;
  Mode mode = Mode::kActive;
  Index max_batch = 0;                     ///< rows of waiting requests of one stream gathered into a step; 0: none
  std::chrono::microseconds max_delay{0};  ///< how long a request may wait for others
  bool is_clustered = false;               ///< its streams are with the workers of a cluster
};

/// A source head, a method and its options. Shared by its streams; everything but the mode is fixed.
class Model {
 public:
  /// Refuses a name, an option or a method that breaks a rule.
  static Result<std::shared_ptr<Model>> create(ModelSpecification specification, const SourceModel& source);
  /// With a network in front: requests bring images.
  static Result<std::shared_ptr<Model>> create(ModelSpecification specification, const BackbonePointer& network,
                                               ImageShape shape);

  const ModelSpecification& specification() const { return specification_; }
  const std::string& name() const { return specification_.name; }
  const SourceModel& source() const { return unadapted_->source(); }
  /// Of the images it takes; none: it takes features.
  const std::optional<ImageShape>& image_shape() const { return image_shape_; }
  Index input_dimension() const { return unadapted_->input_dimension(); }
  /// With every option in force.
  const std::vector<OptionSetting>& options() const { return options_; }
  Mode mode() const { return mode_.load(std::memory_order_relaxed); }
  void set_mode(Mode mode) { mode_.store(mode, std::memory_order_relaxed); }

  /// Of a model that is no longer served nothing is kept: what while_served() was doing is done before this returns.
  void retire();
  bool is_retired() const { return is_retired_; }
  /// Asks the store to write, where the model is served; whether it is.
  bool while_served(const std::function<void()>& write) const;
  /// Throws Refusal where it is retired.
  void check_is_served() const;

  AdapterPointer make_adapter() const { return need(make_(specification_.method, specification_.options)); }
  /// The unadapted classifier's answer. May be asked from several threads at once.
  Status ask_source(MatrixView features, Predictions& answer) const { return unadapted_->predict(features, answer); }
  /// Whether answers say how likely a row is of none of the classes.
  bool tells_unknown() const;
  /// Of one stream in memory, about.
  std::int64_t stream_bytes() const { return stream_bytes_; }

  std::atomic<std::int64_t> batches{0};  ///< learned from since the start of the program
  std::atomic<std::int64_t> rows{0};

 private:
  using Make = std::function<Result<AdapterPointer>(const std::string& method, const OptionValues& options)>;

  Model(ModelSpecification specification, Make make, const Adapter& first, AdapterPointer unadapted);
  static Result<std::shared_ptr<Model>> create(ModelSpecification specification, Make make);

  ModelSpecification specification_;
  Make make_;
  std::optional<ImageShape> image_shape_;
  std::vector<OptionSetting> options_;
  std::atomic<Mode> mode_;
  std::atomic<bool> is_retired_{false};
  mutable std::shared_mutex retiring_;
  AdapterPointer unadapted_;
  std::int64_t stream_bytes_;
};

using ModelPointer = std::shared_ptr<Model>;

}  // namespace stad::server
