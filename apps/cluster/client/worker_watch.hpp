#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "cluster/nats/connection.hpp"

namespace stad::cluster {

/// Observes, once a second, whether any worker renews its entry in the ownership bucket. Thread-safe.
class WorkerWatch {
 public:
  /// @param lease time without a renewal after which no worker is considered to be alive
  WorkerWatch(const NatsConnection& connection, std::chrono::milliseconds lease);
  ~WorkerWatch();
  WorkerWatch(const WorkerWatch&) = delete;
  WorkerWatch& operator=(const WorkerWatch&) = delete;

  /// False where the entries show that no worker is alive; true also where they cannot be read.
  bool has_worker() const { return has_worker_; }

 private:
  void run();
  void observe();

  const NatsConnection& connection_;
  const std::chrono::milliseconds lease_;
  std::atomic<bool> has_worker_{true};
  std::uint64_t revision_ = 0;                       ///< of the newest entry; used by the thread only
  std::chrono::steady_clock::time_point changed_{};  ///< when that revision was first observed
  std::mutex mutex_;
  std::condition_variable ending_;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace stad::cluster
