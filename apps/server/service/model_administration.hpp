#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "server/service/checkpointer.hpp"
#include "server/service/metrics.hpp"
#include "server/service/scheduler.hpp"
#include "server/service/stream_monitor.hpp"
#include "serving/model.hpp"
#include "serving/store/store.hpp"

namespace stad::server {

/// Adds, changes and removes models. The caller is recorded in the event of the operation. Functions wait for the disk
/// and throw AppError. Thread-safe.
class ModelAdministration {
 public:
  ModelAdministration(Models& models, Store& store, Scheduler& scheduler, Checkpointer& checkpointer,
                      StreamMonitor& monitor, Metrics& metrics)
      : models_(models),
        store_(store),
        scheduler_(scheduler),
        checkpointer_(checkpointer),
        monitor_(monitor),
        metrics_(metrics) {}

  /// Reads a model from its files or from the store again. Throws AppError.
  using Open = std::function<ModelPointer()>;

  /// Serves a model until the program ends. Fails where the name is taken.
  /// @param open for load(); null: the model cannot be loaded again
  void serve(const ModelPointer& model, Open open = nullptr);
  /// Serves the models that earlier runs added; logs those that cannot be served.
  void restore();
  /// Adds a model permanently.
  /// @param source the bytes of its classifier
  void add(const ModelPointer& model, const std::string& source, const std::string& caller = "");
  void set_mode(const std::string& model, Mode mode, const std::string& caller = "");
  /// Removes a model with all of its streams. Where the disk fails, the model is not served and may be removed again.
  void remove(const std::string& model, const std::string& caller = "");

  /// Writes the streams of a model to disk and stops serving it; states stay on disk, and load() continues them. Where
  /// the disk fails, the model is served as before. Has no effect on a model that is unloaded.
  void unload(const std::string& model, const std::string& caller = "");
  /// Reads a model again and serves it, in place of the loaded one if there is one. Where it cannot be read, nothing
  /// changes.
  void load(const std::string& model, const std::string& caller = "");
  struct IndexEntry {
    std::string model;
    bool is_loaded = true;
  };
  /// The models that are served or can be loaded, by name.
  std::vector<IndexEntry> index() const;

 private:
  bool is_known(const std::string& model) const;
  void forget(const std::string& model);
  ModelPointer open(const std::string& model) const;
  ModelPointer open_stored(const std::string& model) const;
  void stop_serving(ServedModel& model);
  void save_streams(const std::string& model);
  void retire(ServedModel& model);
  void unregister(const std::string& model);
  void record_event(const std::string& model, std::string kind, std::string detail, const std::string& caller);

  Models& models_;
  Store& store_;
  Scheduler& scheduler_;
  Checkpointer& checkpointer_;
  StreamMonitor& monitor_;
  Metrics& metrics_;
  mutable std::mutex opening_;
  std::map<std::string, Open> open_;  ///< of every known model, loaded or not
  std::mutex changing_;               ///< held until a change is on disk, so that changes are sequential
};

}  // namespace stad::server
