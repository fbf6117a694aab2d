#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace stad::server {

/// Threads that execute functions now or at a later time, in the order in which they are due.
class TaskPool {
 public:
  using Clock = std::chrono::steady_clock;
  using Function = std::function<void()>;

  explicit TaskPool(int threads);
  ~TaskPool() { close(); }
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  void run(Function function) { run_at(Clock::now(), std::move(function)); }
  void run_at(Clock::time_point due, Function function);
  /// Executes what is due, discards what is not, and joins the threads. Functions added later are not executed.
  void close();

 private:
  void run_thread();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<Clock::time_point, Function> queued_;
  bool is_closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace stad::server
