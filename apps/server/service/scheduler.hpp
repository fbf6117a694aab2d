#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "common/error.hpp"
#include "server/service/task_pool.hpp"
#include "serving/lru_map.hpp"
#include "serving/stream_session.hpp"

namespace stad::server {

using namespace serving;

template <typename T>
using Outcome = std::variant<T, AppError>;
/// Called once, from any thread; must not block.
template <typename T>
using Callback = std::function<void(Outcome<T>)>;

class Stream;
using StreamPointer = std::shared_ptr<Stream>;

/// A request that is queued for its stream.
struct InferTask {
  InferRequest request;
  std::string key;             ///< under which the answer is kept; empty: it is not kept
  bool key_is_strict = false;  ///< an Idempotency-Key, which the client must not reuse
  std::uint64_t digest = 0;    ///< of the request, where there is a key
  std::string caller;          ///< name of the token, for events
  bool may_end = true;         ///< whether the caller may reset and delete the stream
  ResponseWriter write = write_infer_response;
  Callback<InferResponse> done;
  TaskPool::Clock::time_point arrived = TaskPool::Clock::now();
  TaskPool::Clock::duration parsing{0};  ///< time before the arrival
};

/// Any other operation that needs exclusive access to the stream. Must not throw.
using StreamTask = std::function<void(Stream&)>;
using Task = std::variant<InferTask, StreamTask>;

/// One stream of one model in memory. Its public data members require exclusive access: at most one thread executes
/// tasks of a stream at a time, and only those use them.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(StreamName name, ModelPointer model) : name_(std::move(name)), model_(std::move(model)) {}

  const StreamName& name() const { return name_; }
  const ModelPointer& model() const { return model_; }

  std::optional<StreamSession> session;  ///< none: not in memory; stored, or new
  std::int64_t counted_bytes = 0;        ///< share of the memory that the checkpointer counts
  bool is_dirty = false;                 ///< has changes for which no save was started
  /// Saves that were started and are not on disk; decremented by the store's thread.
  std::atomic<std::int64_t> pending_saves{0};
  /// Incremented by the store's thread where a change could not be saved and is discarded.
  std::atomic<std::int64_t> generation{0};
  std::int64_t session_generation = 0;  ///< of the session; older than `generation`: it holds discarded changes
  bool is_stale() const { return session && session_generation != generation; }
  /// Of the last point, once there are enough rows to judge; read by any thread.
  std::atomic<std::optional<Warning>> warning{std::nullopt};

 private:
  friend class Scheduler;
  enum class Access {
    kFree,
    kAcquired,  ///< a thread executes tasks
    kDelayed    ///< the queued requests wait for others of their batch
  };

  const StreamName name_;
  const ModelPointer model_;
  // The members below are protected by the mutex of the scheduler.
  std::list<Task> queued_;  ///< a list, since most of many streams have no task and an empty list allocates nothing
  Access access_ = Access::kFree;
  std::uint64_t delay_ = 0;  ///< number of the last delay, so that its end is not mistaken for that of another
};

/// Holds the streams in memory, ordered by last use, and executes their tasks: those of one stream in order of arrival,
/// those of different streams in parallel. Consecutive requests of a stream are joined into batches where its model
/// allows it. A stream is created by its first task and removed when a task leaves it without a session. Thread-safe.
class Scheduler {
 public:
  /// Answers requests that form a batch. Called with exclusive access to the stream; must not throw.
  using AnswerRequests = std::function<void(const StreamPointer&, std::vector<InferTask>)>;

  Scheduler(TaskPool& pool, AnswerRequests answer_requests)
      : pool_(pool), answer_requests_(std::move(answer_requests)) {}

  enum class Execution {
    kInline,  ///< by the calling thread if the stream is idle and in memory: fastest for short tasks
    kPool     ///< by the pool
  };
  /// Queues a task for the stream, which is created if it is not in memory.
  void submit(const StreamName& name, const ModelPointer& model, Task task, Execution execution = Execution::kPool);
  /// Executes a function with exclusive access to the stream; exceptions are passed to `done`.
  template <typename T, typename Function>
  void submit(const StreamName& name, const ModelPointer& model, const Callback<T>& done, Function function);
  /// Returns false where the stream is not in memory.
  bool submit_if_present(const StreamName& name, StreamTask task);

  /// All streams in memory.
  std::vector<StreamPointer> streams() const;
  /// Of the `count` least recently used streams those without tasks.
  std::vector<StreamPointer> oldest_idle(std::size_t count) const;
  std::vector<StreamPointer> of_model(const std::string& model) const;
  std::size_t size() const;
  std::size_t size(const std::string& model) const;

  /// Discards tasks that were queued after the pool was closed: they may own their stream, which would never be freed.
  void discard_tasks();

 private:
  /// What a thread with access executes next: requests that form a batch, another task, or nothing.
  struct Next {
    std::vector<InferTask> requests;
    StreamTask other;
  };

  /// Returns true where the calling thread has acquired the access and must execute the tasks. Requires the lock.
  static bool push(Stream& stream, Task task);
  void execute(const StreamPointer& stream, int tasks);
  void execute_in_pool(const StreamPointer& stream);
  /// Releases the access where there is nothing to execute, or where a batch waits for further requests.
  Next take(const StreamPointer& stream);
  bool has_tasks(const Stream& stream) const;
  void delay(const StreamPointer& stream, TaskPool::Clock::time_point until);
  void remove(const Stream& stream);

  TaskPool& pool_;
  const AnswerRequests answer_requests_;
  mutable std::mutex mutex_;  ///< one for all streams: it is held for less than a microsecond
  LruMap<StreamName, StreamPointer, StreamNameHash> streams_;
  std::unordered_map<std::string, std::size_t> counts_;  ///< of streams, by model
};

template <typename T, typename Function>
void Scheduler::submit(const StreamName& name, const ModelPointer& model, const Callback<T>& done, Function function) {
  submit(name, model, StreamTask([done, function = std::move(function)](Stream& stream) {
           try {
             function(stream);
           } catch (const AppError& failure) {
             done(failure);
           } catch (const std::exception& error) {
             done(http_error(500, std::string("internal error: ") + error.what()));
           }
         }));
}

}  // namespace stad::server
