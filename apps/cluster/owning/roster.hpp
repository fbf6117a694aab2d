#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cluster/nats/bucket.hpp"

namespace stad::cluster {

/// What the servers know of a partition.
struct PartitionEntry {
  std::string worker;          ///< its owner; empty: nobody
  std::uint64_t position = 0;  ///< all of its messages up to this sequence are done
  std::uint64_t epoch = 0;     ///< of the owner, or of the last one
  std::uint64_t revision = 0;  ///< of this entry; 0: there is none
};
std::string text_of(const PartitionEntry& entry);

/// What a worker tells of itself.
struct WorkerEntry {
  std::string id;
  double time = 0;  ///< when it told, by its own clock: seconds since 1970
  bool is_leaving = false;
  std::uint64_t batches = 0;  ///< since it began
  std::uint64_t rows = 0;
  double batches_per_second = 0;
  std::uint64_t takeovers = 0;
  std::uint64_t fenced = 0;  ///< writes that were refused because another had written
  std::uint64_t redelivered = 0;
  std::uint64_t dead = 0;
  std::uint64_t revision = 0;
  std::chrono::steady_clock::duration silence{0};  ///< since it was last heard of here
};
std::string text_of(const WorkerEntry& entry);

/// The workers that are there and who owns which partition.
class Roster {
 public:
  Roster(const Connection& connection, std::int64_t partitions);

  /// Takes in what has changed, waiting that long for the first change.
  void refresh(std::chrono::milliseconds wait);
  /// Whether everything has been told once. Before, workers and owners may be missing.
  bool is_whole() const { return is_whole_; }

  /// What we know may not be what the servers know: has everything told again.
  void doubt() { feed_.reset(); }

  /// By id.
  std::vector<WorkerEntry> workers() const;
  PartitionEntry partition(std::int64_t partition) const;
  std::int64_t partitions() const { return partitions_; }
  /// The largest revision we know of.
  std::uint64_t newest_revision() const;

  /// Whether a worker has been silent for that long. What was seen here is held against what the servers know now.
  bool is_silent(const std::string& worker, std::chrono::milliseconds duration) const;

  void tell(const WorkerEntry& worker);
  void leave(const std::string& worker);
  /// Writes the entry in the place of the one with its revision. Returns the new revision. Throws Conflict.
  std::uint64_t write(std::int64_t partition, const PartitionEntry& entry);
  /// Whether an entry with this revision is the one the servers have now.
  bool stands(std::int64_t partition, std::uint64_t revision) const;

 private:
  std::uint64_t newest_seen() const;

  const Connection& connection_;
  Bucket bucket_;
  std::unique_ptr<BucketFeed> feed_;  ///< none: to be opened anew
  SeenEntries entries_;
  bool is_whole_ = false;
  std::int64_t partitions_;
  std::uint64_t told_revision_ = 0;  ///< of what we wrote last
  std::chrono::steady_clock::time_point behind_since_{};
};

}  // namespace stad::cluster
