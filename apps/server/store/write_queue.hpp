#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <stad/error.hpp>

#include "server/store/sqlite.hpp"

namespace stad::server {

/// A connection and who may use it.
struct GuardedConnection {
  explicit GuardedConnection(const std::string& path) : connection(path) {}
  std::mutex mutex;
  Connection connection;
};

/// Group commit: a thread takes all writes that wait, runs them in one transaction and tells each of them how it ended.
/// What fails fails the whole transaction and is not tried again; later writes go on.
class WriteQueue {
 public:
  struct Write {
    std::function<void()> run;  ///< inside the transaction; throws what fails
    std::function<void(const Status&)> done;
  };

  WriteQueue(GuardedConnection& database, std::string path);
  ~WriteQueue();  ///< after the last write
  WriteQueue(const WriteQueue&) = delete;
  WriteQueue& operator=(const WriteQueue&) = delete;

  void push(Write write);
  Status flush();

 private:
  void work();
  Status commit(const std::vector<Write>& writes);

  GuardedConnection& database_;
  const std::string path_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Write> waiting_;
  bool ending_ = false;
  std::optional<Error> failure_;  ///< the first since the last flush; the thread's own
  std::thread thread_;
};

/// As the store tells it: path, SQLite's words, and what to do where the file is at fault.
Error database_failure(const std::string& path, const std::exception& error);

}  // namespace stad::server
