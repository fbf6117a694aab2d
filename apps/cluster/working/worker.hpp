#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "cluster/layout.hpp"
#include "cluster/owning/lease.hpp"
#include "cluster/owning/roster.hpp"
#include "cluster/working/holdings.hpp"

namespace stad::cluster {

struct WorkerSettings {
  std::string id;                         ///< different for every worker, and every time one begins
  std::chrono::milliseconds lease{8000};  ///< of silence after which others take what is ours
  std::string cache;                      ///< folder for states that leave memory; empty: none
  LayoutSettings layout;
  WorkingSettings working;
};

/// One of many that share the partitions: takes what is free up to its share, gives up what is beyond it, and takes
/// over from those that fall silent.
class Worker {
 public:
  /// Makes what is not there on the servers. Throws Refusal or Trouble.
  Worker(const WorkerSettings& settings, const Connection& connection, const server::Models& models);

  /// Until `is_ending`; then commits and leaves.
  void work(const std::atomic<bool>& is_ending);

  const Figures& figures() const { return figures_; }
  /// Messages that wait for our partitions. Any thread.
  std::uint64_t waiting() const { return waiting_; }
  std::uint64_t owned() const { return owned_; }

 private:
  void renew();
  void share();
  void drop_ended();
  void forget_the_dead();
  void leave();
  std::int64_t fair_share() const;
  bool is_free(std::int64_t partition) const;
  void give_back_forgotten();
  WorkerEntry report();

  const WorkerSettings settings_;
  Figures figures_;
  StateCache cache_;
  const Workplace place_;
  Roster roster_;
  Lease lease_;
  Holdings holdings_;
  std::chrono::steady_clock::time_point due_;  ///< when we must be heard of next
  bool is_leaving_ = false;
  std::chrono::steady_clock::time_point content_;  ///< when we last had our share
  std::chrono::steady_clock::time_point reported_;
  std::uint64_t reported_batches_ = 0;
  double batches_per_second_ = 0;
  std::atomic<std::uint64_t> waiting_{0};
  std::atomic<std::uint64_t> owned_{0};
};

/// "HOST-PROCESS-XXXX": for people to find it, and for no two to be alike.
std::string new_worker_id();

}  // namespace stad::cluster
