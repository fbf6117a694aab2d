#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cluster/nats/bucket.hpp"

namespace stad::cluster {

/// The entry of a partition in the ownership bucket.
struct PartitionEntry {
  std::string worker;          ///< its owner; empty: none
  std::uint64_t position = 0;  ///< all of its messages up to this sequence are committed
  std::uint64_t epoch = 0;     ///< of the owner, or of the last one
  std::uint64_t revision = 0;  ///< of this entry; 0: it does not exist
};
std::string text_of(const PartitionEntry& entry);

/// The entry of a worker in the ownership bucket.
struct WorkerEntry {
  std::string id;
  double time = 0;  ///< of the entry by the worker's clock, seconds since the epoch
  bool is_leaving = false;
  std::uint64_t batches = 0;  ///< since its start
  std::uint64_t rows = 0;
  double batches_per_second = 0;
  std::uint64_t takeovers = 0;
  std::uint64_t fenced = 0;  ///< writes rejected because of another owner
  std::uint64_t redelivered = 0;
  std::uint64_t dead = 0;
  std::uint64_t revision = 0;
  std::chrono::steady_clock::duration silence{0};  ///< since this process last observed a change of the entry
};
std::string text_of(const WorkerEntry& entry);

/// The registry of workers and owners of partitions: a local view of the ownership bucket. Used by one thread.
class Roster {
 public:
  Roster(const NatsConnection& connection, std::int64_t partitions);

  /// Applies changes, waiting up to `wait` for the first one.
  void refresh(std::chrono::milliseconds wait);
  /// Whether the bucket was read completely once; before, workers and owners may be missing.
  bool is_complete() const { return is_complete_; }

  /// Reads the whole bucket again, since the local view may be stale.
  void resync() { watch_.reset(); }

  /// Ordered by id.
  std::vector<WorkerEntry> workers() const;
  PartitionEntry partition(std::int64_t partition) const;
  std::int64_t partitions() const { return partitions_; }
  /// Whether the worker owns a partition.
  bool owns_any(const std::string& worker) const;
  /// The largest known revision.
  std::uint64_t newest_revision() const;

  /// Whether a worker has not renewed its entry for that long. Confirmed by a read from the servers.
  bool is_expired(const std::string& worker, std::chrono::milliseconds duration) const;

  void announce(const WorkerEntry& worker);
  void remove_worker(const std::string& worker);
  /// Replaces the entry of the same revision. Returns the new revision. Throws WriteConflict.
  std::uint64_t write(std::int64_t partition, const PartitionEntry& entry);
  /// Whether the servers' entry has this revision.
  bool is_current(std::int64_t partition, std::uint64_t revision) const;

 private:
  std::uint64_t newest_observed() const;

  const NatsConnection& connection_;
  Bucket bucket_;
  std::unique_ptr<BucketWatch> watch_;  ///< null: to be opened again
  ObservedEntries entries_;
  bool is_complete_ = false;
  std::int64_t partitions_;
  std::uint64_t written_revision_ = 0;  ///< of the last write of this process
  std::chrono::steady_clock::time_point behind_since_{};
};

}  // namespace stad::cluster
