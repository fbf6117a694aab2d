#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "cluster/layout/layout.hpp"
#include "cluster/ownership/lease.hpp"
#include "cluster/ownership/roster.hpp"
#include "cluster/worker/owned_partitions.hpp"

namespace stad::cluster {

struct WorkerSettings {
  std::string id;                         ///< unique for every start of a worker
  std::chrono::milliseconds lease{8000};  ///< without a renewal after which others take the partitions over
  std::string cache;                      ///< folder for states evicted from memory; empty: none
  LayoutSettings layout;
  PartitionSettings partition;
};

/// One of several workers that share the partitions: claims free ones up to its share, releases those beyond it, and
/// takes over those of workers whose lease has expired.
class Worker {
 public:
  /// Creates missing streams and buckets on the servers. Throws AppError or NatsError.
  Worker(const WorkerSettings& settings, const NatsConnection& connection, const serving::Models& models);

  /// Runs until `is_ending`; then commits and leaves.
  void run(const std::atomic<bool>& is_ending);

  const WorkerCounters& counters() const { return counters_; }
  /// Messages that wait for the partitions of this worker. Thread-safe.
  std::uint64_t waiting() const { return waiting_; }
  std::uint64_t owned() const { return owned_count_; }

 private:
  using Clock = std::chrono::steady_clock;

  void renew();
  void rebalance();
  void release_ended();
  void remove_expired_workers();
  void leave();
  std::int64_t fair_share() const;
  bool is_free(std::int64_t partition) const;
  void release_unowned();
  WorkerEntry report();

  const WorkerSettings settings_;
  WorkerCounters counters_;
  LocalStateCache cache_;
  const WorkerContext context_;
  Roster roster_;
  Lease lease_;
  OwnedPartitions owned_;
  Clock::time_point next_renewal_;
  bool is_leaving_ = false;
  Clock::time_point had_share_;  ///< when the worker last owned its share
  Clock::time_point reported_;
  std::uint64_t reported_batches_ = 0;
  double batches_per_second_ = 0;
  std::atomic<std::uint64_t> waiting_{0};
  std::atomic<std::uint64_t> owned_count_{0};
};

/// "HOST-PROCESS-XXXX": readable and unique.
std::string new_worker_id();

}  // namespace stad::cluster
