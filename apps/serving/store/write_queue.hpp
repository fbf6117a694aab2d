#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <stad/error.hpp>

namespace stad::serving {

/// Group commit: a thread passes all queued writes to a function that executes them in one transaction, and calls their
/// callbacks with the result. An error fails the whole transaction, which is not retried; later writes are not
/// affected.
class WriteQueue {
 public:
  struct Write {
    std::function<void()> run;  ///< inside the transaction; throws on failure
    std::function<void(const Status&)> done;
  };

  using Commit = std::function<Status(const std::vector<Write>&)>;

  explicit WriteQueue(Commit commit);
  ~WriteQueue();  ///< executes the queued writes first
  WriteQueue(const WriteQueue&) = delete;
  WriteQueue& operator=(const WriteQueue&) = delete;

  void push(Write write);
  Status flush();
  /// Whether the last transaction failed.
  bool is_failing() const { return is_failing_; }
  /// Transactions that failed.
  std::int64_t failures() const { return failures_; }

 private:
  void work();

  const Commit commit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Write> queued_;
  bool is_closing_ = false;
  std::atomic<bool> is_failing_{false};
  std::atomic<std::int64_t> failures_{0};
  std::optional<Error> failure_;  ///< the first since the last flush; used by the thread only
  std::thread thread_;
};

}  // namespace stad::serving
