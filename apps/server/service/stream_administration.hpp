#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "server/service/checkpointer.hpp"
#include "server/service/scheduler.hpp"
#include "server/service/stream_monitor.hpp"
#include "serving/model.hpp"
#include "serving/store/store.hpp"

namespace stad::server {

/// Status and history of a stream.
struct StreamReport {
  StreamName name;
  ModelPointer model;
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  bool is_saved = true;
  Health health;
  std::vector<Index> shown_classes;
  std::vector<HistoryPoint> history;
};

struct Done {};

/// Administrative operations on streams. All but restore() fail with 404 where the stream is neither in memory nor on
/// disk. The caller is recorded in the event of the operation. Thread-safe.
class StreamAdministration {
 public:
  /// @param kept_snapshots of each stream
  StreamAdministration(const Models& models, Store& store, Scheduler& scheduler, Checkpointer& checkpointer,
                       StreamMonitor& monitor, std::int64_t kept_snapshots)
      : models_(models),
        store_(store),
        scheduler_(scheduler),
        checkpointer_(checkpointer),
        monitor_(monitor),
        kept_snapshots_(kept_snapshots) {}

  void inspect(const StreamName& name, const Callback<StreamReport>& done);
  void state(const StreamName& name, const Callback<std::string>& done);
  void snapshot(const StreamName& name, std::string note, const Callback<std::int64_t>& done,
                const std::string& caller = "");
  /// Takes a snapshot of the current state first, like reset() and restore().
  void roll_back(const StreamName& name, std::int64_t snapshot, const Callback<Done>& done,
                 const std::string& caller = "");
  void reset(const StreamName& name, const Callback<Done>& done, const std::string& caller = "");
  void restore(const StreamName& name, std::string state, const Callback<Done>& done, const std::string& caller = "");
  void remove(const StreamName& name, const Callback<Done>& done, const std::string& caller = "");

 private:
  /// Executes a function with exclusive access to a stream that exists; exceptions are passed to `done`.
  template <typename T, typename Function>
  void with_known_stream(const StreamName& name, const Callback<T>& done, Function function);
  /// Throws AppError where the model was removed.
  void write_snapshot(const Stream& stream, StreamRecord record, const std::string& note,
                      std::function<void(Result<std::int64_t>)> done);
  void apply_changes(const Stream& stream, StreamRecord& record) const;
  void snapshot_current(Stream& stream, const std::string& note);
  void replace(Stream& stream, StreamSession session, Event event, const Callback<Done>& done);

  const Models& models_;
  Store& store_;
  Scheduler& scheduler_;
  Checkpointer& checkpointer_;
  StreamMonitor& monitor_;
  const std::int64_t kept_snapshots_;
};

}  // namespace stad::server
