#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/service/task_pool.hpp"
#include "server/service/task_queue.hpp"
#include "serving/lru_map.hpp"
#include "serving/stream_session.hpp"

namespace stad::server {

/// One stream of one model: the queue of its tasks and, for the thread with exclusive access, its session.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(StreamName name, ModelPointer model)
      : name_(std::move(name)),
        model_(std::move(model)),
        queue({model_->specification().max_batch, model_->specification().max_delay}) {}

  const StreamName& name() const { return name_; }
  const ModelPointer& model() const { return model_; }

 private:
  const StreamName name_;
  const ModelPointer model_;

 public:
  TaskQueue queue;

  static constexpr int kNoWarning = -1;  ///< other values are those of Warning

  // The members below require exclusive access (TaskQueue).
  std::optional<StreamSession> session;  ///< none: not in memory; stored, or new
  std::int64_t counted_bytes = 0;        ///< share of Checkpointer::resident_bytes()
  bool is_dirty = false;                 ///< has changes for which no save was started
  /// Saves that were started and are not on disk; decremented by the store's thread.
  std::atomic<std::int64_t> pending_saves{0};
  /// Incremented by the store's thread where a change could not be saved and is discarded.
  std::atomic<std::int64_t> generation{0};
  std::int64_t session_generation = 0;  ///< of the session; older than `generation`: it holds discarded changes
  bool is_stale() const { return session && session_generation != generation; }
  /// Of the last point, once there are enough rows to judge; read by other threads for the metrics.
  std::atomic<int> warning{kNoWarning};
};

using StreamPointer = std::shared_ptr<Stream>;

/// The streams in memory, ordered by last use. A task is pushed under the lock of the table, so that a stream that is
/// removed has none: two streams of one name never exist at once. Thread-safe.
class StreamTable {
 public:
  struct Pushed {
    StreamPointer stream;
    bool has_access = false;  ///< see TaskQueue::push()
  };
  /// Pushes the task to the stream, which is created if it is not in memory.
  Pushed push(const StreamName& name, const ModelPointer& model, Task task);
  /// Pushes the task if the stream is in memory; returns no stream otherwise.
  Pushed push_if_present(const StreamName& name, Task task);

  /// Removes a stream without session and tasks.
  void remove_if_empty(const StreamPointer& stream);

  /// Up to `count` streams, the least recently used first.
  std::vector<StreamPointer> oldest(std::size_t count) const;
  std::vector<StreamPointer> of_model(const std::string& model) const;
  std::size_t size() const;
  std::size_t size(const std::string& model) const;

 private:
  mutable std::mutex mutex_;
  LruMap<StreamName, StreamPointer, StreamNameHash> streams_;
  std::unordered_map<std::string, std::size_t> counts_;  ///< by model
};

/// Executes the tasks of each stream in order and those of different streams in parallel.
class Streams {
 public:
  /// Answers requests with exclusive access to their stream. Must not throw.
  using AnswerRequests = std::function<void(const StreamPointer&, std::vector<InferTask>)>;

  Streams(TaskPool& pool, AnswerRequests answer_requests) : pool_(pool), answer_requests_(std::move(answer_requests)) {}

  enum class Execution {
    kInline,  ///< by the calling thread if the stream is idle and in memory: fastest for short tasks
    kPool     ///< by the pool
  };
  void submit(const StreamName& name, const ModelPointer& model, Task task, Execution execution);
  /// Returns false where the stream is not in memory.
  bool submit_if_present(const StreamName& name, StreamTask task);

  /// Discards tasks that were queued after the pool was closed: they may own their stream, which would never be freed.
  void discard_tasks();

  const StreamTable& table() const { return table_; }

 private:
  void execute(const StreamPointer& stream, int tasks);
  void execute_in_pool(const StreamPointer& stream);
  void execute_later(const StreamPointer& stream, TaskQueue::Clock::time_point due, std::uint64_t ticket);

  TaskPool& pool_;
  AnswerRequests answer_requests_;
  StreamTable table_;
};

}  // namespace stad::server
