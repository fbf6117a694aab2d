#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/service/checkpointer.hpp"
#include "server/service/inference.hpp"
#include "server/service/metrics.hpp"
#include "server/service/model_administration.hpp"
#include "server/service/scheduler.hpp"
#include "server/service/stream_administration.hpp"
#include "server/service/stream_monitor.hpp"
#include "server/service/task_pool.hpp"
#include "serving/forwarder.hpp"
#include "serving/model.hpp"
#include "serving/settings/settings.hpp"
#include "serving/store/store.hpp"

namespace stad::server {

/// Owns the models and their streams, and offers inference and administration. Thread-safe.
class Service {
 public:
  /// @param forwarder for models of a cluster; null: there are none
  Service(ServiceSettings settings, std::unique_ptr<Store> store, Metrics& metrics, Forwarder* forwarder = nullptr);
  /// Saves all unsaved changes.
  ~Service();

  Inference& inference() { return inference_; }
  StreamAdministration& stream_administration() { return stream_administration_; }
  ModelAdministration& model_administration() { return model_administration_; }

  const Models& models() const { return models_; }
  const Store& store() const { return *store_; }
  const StreamMonitor& monitor() const { return monitor_; }
  Subscribers& subscribers() { return monitor_.subscribers(); }
  std::size_t resident_streams(const std::string& model) const { return scheduler_.size(model); }
  const CheckpointSettings& checkpoints() const { return settings_.checkpoints; }
  double unsaved_age() const { return checkpointer_.unsaved_age(); }
  /// Streams whose stored state cannot be read.
  std::size_t damaged_streams(const std::string& model) const { return checkpointer_.quarantine().size(model); }
  /// Why requests should not be sent to this service; empty: it is ready. Without paths and names of streams, since
  /// readiness requires no token.
  std::vector<std::string> obstacles() const;

  /// Executes a function that may wait for the disk, on threads separate from those of the streams. It must not throw.
  void run_in_background(std::function<void()> function) { background_.run(std::move(function)); }

 private:
  void probe_store();

  const ServiceSettings settings_;
  std::unique_ptr<Store> store_;
  Models models_;
  TaskPool pool_;
  TaskPool background_;  ///< two threads, so that a backup, which takes minutes, does not block listings
  Scheduler scheduler_;
  StreamMonitor monitor_;
  Checkpointer checkpointer_;
  Inference inference_;
  StreamAdministration stream_administration_;
  ModelAdministration model_administration_;
};

}  // namespace stad::server
