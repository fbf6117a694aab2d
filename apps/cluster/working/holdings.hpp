#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "cluster/owning/lease.hpp"
#include "cluster/owning/roster.hpp"
#include "cluster/working/partition.hpp"
#include "cluster/working/workplace.hpp"

namespace stad::cluster {

/// The partitions that a worker owns: claims them, tells how far they are, and lets go of them. Used by one thread.
class Holdings {
 public:
  Holdings(const Workplace& workplace, Roster& roster, const Lease& lease)
      : place_(workplace), roster_(roster), lease_(lease) {}

  std::int64_t size() const { return static_cast<std::int64_t>(owned_.size()); }
  bool contains(std::int64_t partition) const { return owned_.contains(partition); }
  /// Messages that wait for them.
  std::uint64_t waiting() const;

  /// Puts us in the place of who owned it, unless another is faster. Throws Trouble.
  void claim(std::int64_t partition);
  /// Asks so many to commit and end.
  void end(std::int64_t count);
  /// Gives back those that have ended, by themselves or as they were asked to.
  void drop_ended();
  /// How far they are, for whoever takes them over. Throws Trouble.
  void tell_positions();
  /// Lets go of those whose entry is another's.
  void drop_lost();
  /// Waits for all of them to end.
  void clear() { owned_.clear(); }

 private:
  struct Owned {
    std::unique_ptr<Partition> partition;
    PartitionEntry entry;
  };

  bool write_claim(std::int64_t partition, PartitionEntry& entry);
  void release(const Owned& owned);
  static void lose(const Owned& owned, const std::string& reason);

  const Workplace& place_;
  Roster& roster_;
  const Lease& lease_;
  std::map<std::int64_t, Owned> owned_;
};

}  // namespace stad::cluster
