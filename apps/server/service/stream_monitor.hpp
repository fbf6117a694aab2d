#pragma once

#include <functional>
#include <optional>
#include <string>

#include "server/service/metrics.hpp"
#include "server/service/scheduler.hpp"
#include "server/service/subscribers.hpp"
#include "serving/store/store.hpp"

namespace stad::server {

/// Makes visible what happens to streams: figures for the metrics, points of their histories and events for
/// subscribers, events for the audit log and the store. Thread-safe.
class StreamMonitor {
 public:
  StreamMonitor(Store& store, Scheduler& scheduler, TaskPool& pool, Metrics& metrics)
      : store_(store), scheduler_(scheduler), pool_(pool), metrics_(metrics) {}

  /// Starts the periodic publication of points.
  void start() { publish_due_points(); }

  Subscribers& subscribers() { return subscribers_; }

  /// Counts a step whose effect is certain.
  void count_step(const Stream& stream, const StepSums& step);
  /// Publishes the current point of the history if it is due. Requires exclusive access to the stream.
  void publish_point(Stream& stream, StreamSession::PointSpan span = StreamSession::PointSpan::kSpaced);
  /// Writes an event to the audit log and the store, then sends it to subscribers and calls `then`.
  void record_event(
      Event event, bool of_whole_model = false, std::function<void()> then = [] {});

  /// Of the model's streams in memory that have at least 500 rows, each at its last point; none where no stream has a
  /// warning level.
  std::optional<Warning> worst_warning(const std::string& model) const;

 private:
  void publish_due_points();

  Store& store_;
  Scheduler& scheduler_;
  TaskPool& pool_;
  Metrics& metrics_;
  Subscribers subscribers_;
};

}  // namespace stad::server
