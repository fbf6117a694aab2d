#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <stad/error.hpp>

#include "serving/store/sqlite.hpp"

namespace stad::serving {

/// A connection and the mutex that protects it.
struct LockedConnection {
  explicit LockedConnection(const std::string& path) : connection(path) {}
  std::mutex mutex;
  SqliteConnection connection;
};

/// Group commit: a thread executes all queued writes in one transaction and calls their callbacks with the result. An
/// error fails the whole transaction, which is not retried; later writes are not affected.
class WriteQueue {
 public:
  struct Write {
    std::function<void()> run;  ///< inside the transaction; throws on failure
    std::function<void(const Status&)> done;
  };

  WriteQueue(LockedConnection& database, std::string path);
  ~WriteQueue();  ///< executes the queued writes first
  WriteQueue(const WriteQueue&) = delete;
  WriteQueue& operator=(const WriteQueue&) = delete;

  void push(Write write);
  Status flush();
  /// Whether the last transaction failed.
  bool is_failing() const { return is_failing_; }
  /// Whether a transaction found the file corrupt.
  bool is_corrupt() const { return is_corrupt_; }

 private:
  void work();
  Status commit(const std::vector<Write>& writes);

  LockedConnection& database_;
  const std::string path_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Write> queued_;
  bool is_closing_ = false;
  std::atomic<bool> is_failing_{false};
  std::atomic<bool> is_corrupt_{false};
  std::optional<Error> failure_;  ///< the first since the last flush; used by the thread only
  std::thread thread_;
};

bool is_corruption(const std::exception& error);
/// Error with the path, SQLite's message and, for a corrupt file, the remedy.
Error database_failure(const std::string& path, const std::exception& error);

}  // namespace stad::serving
