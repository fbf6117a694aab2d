#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/service/quarantine.hpp"
#include "server/service/scheduler.hpp"
#include "server/service/task_pool.hpp"
#include "serving/log.hpp"
#include "serving/settings/settings.hpp"
#include "serving/store/store.hpp"

namespace stad::server {

/// For messages: "stream S of M".
std::string description_of(const StreamName& name);

/// Writes the sessions of streams to the store as the durability requires, loads them, and evicts the least recently
/// used ones from memory. Functions that take a stream require exclusive access to it (Scheduler).
class Checkpointer {
 public:
  /// @param on_damage called with exclusive access to a stream whose stored state cannot be read
  Checkpointer(CheckpointSettings settings, Store& store, Scheduler& scheduler, TaskPool& pool,
               Quarantine::OnDamage on_damage);

  /// Starts the periodic saves.
  void start();
  /// Saves all unsaved changes. No task may be submitted afterwards.
  void stop();

  /// Throws AppError (404) where the stream is neither in memory nor on disk.
  void require_known(Stream& stream);
  /// Loads the session of the stream if it is not in memory, or holds changes that could not be saved. Throws AppError:
  /// 409 where the stored state does not fit the model, 500 where it is damaged.
  void load(Stream& stream);
  /// The session has changed. Calls `done` as soon as the durability allows the answer to be sent.
  void changed(const StreamPointer& stream, Store::Done done);
  /// An answer depends on the session, which has not changed. Calls `done` once earlier changes are durable.
  void after_pending_saves(const StreamPointer& stream, Store::Done done);
  enum class FailedSave {
    kRetry,   ///< the change stays in memory and is written later
    kDiscard  ///< the change is undone: the next task continues from the disk
  };
  enum class Content {
    kState,
    kChanges  ///< the changes since the last save where they are small beside the state
  };
  /// Writes the session regardless of the durability. Calls `done` when it is on disk, or has failed.
  void save(const StreamPointer& stream, Store::Done done, FailedSave failed_save = FailedSave::kRetry,
            Content content = Content::kState);
  /// Drops the session from memory where it holds changes that could not be saved.
  void drop_stale(Stream& stream);
  /// A session of the stream's model in its initial state. Throws AppError where the model was removed.
  StreamSession new_session(const Stream& stream) const;
  /// Replaces the session in memory.
  void replace(Stream& stream, StreamSession session);
  /// Deletes the stream from memory and disk.
  void remove(Stream& stream, Store::Done done);
  /// Drops the session from memory, saved or not.
  void unload(Stream& stream);
  /// Drops the session if it has not adapted to any batch.
  void unload_if_empty(Stream& stream);

  Quarantine& quarantine() { return quarantine_; }
  const Quarantine& quarantine() const { return quarantine_; }
  std::int64_t resident_bytes() const { return resident_bytes_; }
  /// Seconds since the oldest change that is not on disk; 0: all changes are.
  double unsaved_age() const;

 private:
  void mark_dirty(const StreamPointer& stream);
  void record_outcome(bool has_failed);
  void count_bytes(Stream& stream);
  void log_failure(const char* message, const std::string& reason);
  void discard(Stream& stream, std::int64_t generation, const std::string& reason);
  void retry_save(const StreamPointer& stream, const std::string& reason);
  void schedule_round();
  void save_dirty();
  void save_next();
  StreamPointer next_unsaved();
  void evict();
  void unload_when_saved(const StreamPointer& stream);

  const CheckpointSettings settings_;
  Store& store_;
  Scheduler& scheduler_;
  TaskPool& pool_;
  Quarantine quarantine_;
  LogLimiter failure_log_;  ///< a full disk fails every save
  std::atomic<std::int64_t> resident_bytes_{0};
  std::atomic<std::int64_t> leaving_bytes_{0};  ///< of streams that are being evicted

  mutable std::mutex mutex_;
  std::vector<StreamPointer> dirty_;
  double dirty_since_ = 0;
  std::vector<StreamPointer> saving_;  ///< remaining streams of the current round
  double saving_since_ = 0;
  double failing_since_ = 0;  ///< time of the oldest change that could not be written; 0: none
  int active_savers_ = 0;     ///< chains of saves of the current round, see save_dirty()
};

}  // namespace stad::server
