#pragma once

#include <mutex>
#include <string>

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

  /// Serves a model until the program ends. Fails where the name is taken.
  void serve(const ModelPointer& model);
  /// Serves the models that earlier runs added; logs those that cannot be served.
  void restore();
  /// Adds a model permanently.
  /// @param source the bytes of its classifier
  void add(const ModelPointer& model, const std::string& source, const std::string& caller = "");
  void set_mode(const std::string& model, Mode mode, const std::string& caller = "");
  /// Removes a model with all of its streams. Where the disk fails, the model is not served and may be removed again.
  void remove(const std::string& model, const std::string& caller = "");

 private:
  void retire(ServedModel& model);
  void unregister(const std::string& model);
  void record_event(const std::string& model, std::string kind, std::string detail, const std::string& caller);

  Models& models_;
  Store& store_;
  Scheduler& scheduler_;
  Checkpointer& checkpointer_;
  StreamMonitor& monitor_;
  Metrics& metrics_;
  std::mutex changing_;  ///< held until a change is on disk, so that changes are sequential
};

}  // namespace stad::server
