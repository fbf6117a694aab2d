#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace stad::server {

/// Threads for what would keep a connection waiting, now or at a later moment. Work due first is done first.
class Crew {
 public:
  using Clock = std::chrono::steady_clock;
  using Work = std::function<void()>;

  explicit Crew(int threads);
  ~Crew() { close(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void run(Work work) { run_at(Clock::now(), std::move(work)); }
  void run_at(Clock::time_point due, Work work);
  /// Does what is due, forgets what is not or comes later, and joins.
  void close();

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<Clock::time_point, Work> waiting_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace stad::server
