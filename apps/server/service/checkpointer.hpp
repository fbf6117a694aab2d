#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "server/service/streams.hpp"
#include "server/service/task_pool.hpp"
#include "serving/settings/settings.hpp"
#include "serving/store/store.hpp"

namespace stad::server {

/// Writes the sessions of streams to the store as the durability requires, loads them, and evicts the least recently
/// used ones from memory. Functions that take a stream require exclusive access to it (TaskQueue).
class Checkpointer {
 public:
  Checkpointer(CheckpointSettings settings, Store& store, Streams& streams, TaskPool& pool);

  /// Starts the periodic saves.
  void start();
  /// Saves all unsaved changes. No task may be submitted afterwards.
  void stop();

  /// Loads the session of the stream if it is not in memory. Throws AppError where the stored state does not fit the
  /// model.
  void load(Stream& stream);
  /// The session has changed. Calls `done` as soon as the durability allows the answer to be sent.
  void changed(const StreamPointer& stream, Store::Done done);
  /// An answer depends on the session, which has not changed. Calls `done` once earlier changes are durable.
  void after_pending_saves(const StreamPointer& stream, Store::Done done);
  /// Writes the session regardless of the durability. Calls `done` when it is on disk.
  void save(const StreamPointer& stream, Store::Done done);
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

  std::int64_t resident_bytes() const { return resident_bytes_; }
  /// Seconds since the oldest change that is not on disk; 0: all changes are.
  double unsaved_age() const;

 private:
  void mark_dirty(const StreamPointer& stream);
  void record_outcome(bool has_failed);
  void count_bytes(Stream& stream);
  void retry_save(const StreamPointer& stream, const std::string& reason);
  void schedule_round();
  void save_dirty();
  void save_next();
  StreamPointer next_unsaved();
  void evict();
  void unload_when_saved(const StreamPointer& stream);

  const CheckpointSettings settings_;
  Store& store_;
  Streams& streams_;
  TaskPool& pool_;
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
