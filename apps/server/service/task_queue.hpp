#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "serving/protocol/infer_request.hpp"
#include "serving/protocol/infer_response.hpp"

namespace stad::server {

using namespace serving;

class Stream;

/// A request that is queued for its stream.
struct InferTask {
  using Clock = std::chrono::steady_clock;

  InferRequest request;
  std::string key;                         ///< under which the answer is kept; empty: it is not kept
  bool key_is_strict = false;              ///< an Idempotency-Key, which the client must not reuse
  std::uint64_t digest = 0;                ///< of the request, where there is a key
  std::string caller;                      ///< name of the token, for events
  bool may_end = true;                     ///< whether the caller may reset and delete the stream
  std::function<void(InferOutcome)> done;  ///< called once, from any thread; must not block
  Clock::time_point arrived = Clock::now();
};

/// Any other operation that needs exclusive access to the stream. Must not throw.
using StreamTask = std::function<void(Stream&)>;
using Task = std::variant<InferTask, StreamTask>;

/// How queued requests of a stream are joined into batches.
struct BatchingSettings {
  Index max_batch = 0;  ///< rows; 0: no batching
  std::chrono::microseconds max_delay{0};
};

/// The tasks of one stream in order of arrival, and the exclusive access to the stream: at most one thread executes
/// its tasks at a time. A thread acquires the access by push() or resume() and releases it by next().
class TaskQueue {
 public:
  using Clock = InferTask::Clock;

  explicit TaskQueue(BatchingSettings batching) : batching_(batching) {}

  /// Returns true where the caller acquires the access and must execute the tasks.
  bool push(Task task);

  /// What the owner of the access executes next: one task, or requests that form a batch. With `wait_until` there is
  /// none yet: the access is released until then, when resume() may acquire it. Without anything the queue is empty
  /// and the access is released.
  struct Next {
    std::vector<InferTask> requests;
    StreamTask other;
    std::optional<Clock::time_point> wait_until;
    std::uint64_t ticket = 0;  ///< for resume()
  };
  /// Requires the access.
  Next next();
  /// Acquires the access that next() released with this ticket. False: the batch became full and was executed.
  bool resume(std::uint64_t ticket);

  /// Discards all queued tasks.
  void clear();

  bool is_empty() const;
  /// Whether no task is queued and no thread has the access.
  bool is_idle() const;

 private:
  enum class Access { kFree, kAcquired, kDelayed };

  /// How many tasks from the front form one batch.
  std::size_t batch_size() const;
  Index queued_rows() const;

  const BatchingSettings batching_;
  mutable std::mutex mutex_;
  std::list<Task> queued_;  ///< a list, since most of many streams have none and an empty list allocates nothing
  Access access_ = Access::kFree;
  std::uint64_t ticket_ = 0;
};

}  // namespace stad::server
