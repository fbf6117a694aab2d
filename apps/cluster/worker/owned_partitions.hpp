#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "cluster/ownership/lease.hpp"
#include "cluster/ownership/roster.hpp"
#include "cluster/worker/partition.hpp"
#include "cluster/worker/worker_context.hpp"

namespace stad::cluster {

/// The partitions that a worker owns: claims them, records their positions and releases them. Used by one thread.
class OwnedPartitions {
 public:
  OwnedPartitions(const WorkerContext& context, Roster& roster, const Lease& lease)
      : context_(context), roster_(roster), lease_(lease) {}

  std::int64_t size() const { return static_cast<std::int64_t>(owned_.size()); }
  bool contains(std::int64_t partition) const { return owned_.contains(partition); }
  /// Messages that wait for the partitions.
  std::uint64_t waiting() const;

  /// Takes the partition over from its owner, unless another worker is faster. Throws NatsError.
  void claim(std::int64_t partition);
  /// Requests the end of `count` partitions, after a commit.
  void end(std::int64_t count);
  /// Releases partitions that have ended.
  void release_ended();
  /// Writes the committed positions, for the next owners. Throws NatsError.
  void write_positions();
  /// Ends partitions whose entry names another owner.
  void end_lost();
  /// Waits for the end of all partitions.
  void clear() { owned_.clear(); }

 private:
  struct Owned {
    std::unique_ptr<Partition> partition;
    PartitionEntry entry;
  };

  bool write_claim(std::int64_t partition, PartitionEntry& entry);
  void release(const Owned& owned);
  static void mark_lost(const Owned& owned, const std::string& reason);

  const WorkerContext& context_;
  Roster& roster_;
  const Lease& lease_;
  std::map<std::int64_t, Owned> owned_;
};

}  // namespace stad::cluster
