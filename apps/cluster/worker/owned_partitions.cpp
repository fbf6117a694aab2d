#include "cluster/worker/owned_partitions.hpp"

#include <utility>

#include <fmt/format.h>

#include "cluster/layout/names.hpp"
#include "serving/log.hpp"

namespace stad::cluster {
namespace {

using serving::log;
using serving::LogLevel;

}  // namespace

std::uint64_t OwnedPartitions::waiting() const {
  std::uint64_t waiting = 0;
  for (const auto& [number, owned] : owned_) waiting += owned.partition->waiting();
  return waiting;
}

void OwnedPartitions::claim(std::int64_t partition) {
  PartitionEntry entry = roster_.partition(partition);
  const std::string previous = std::exchange(entry.worker, context_.worker);
  const std::string former = previous.empty() ? "" : consumer_name(partition, entry.epoch, previous);
  entry.epoch = roster_.newest_revision() + 1;
  const Claim claim(lease_, partition, entry.epoch);  // of the current term, also where the write takes long
  if (!write_claim(partition, entry)) return;
  if (!previous.empty()) ++context_.counters.takeovers;
  log(LogLevel::kInfo, previous.empty() ? "a partition was taken" : "a partition was taken over",
      {{"partition", std::to_string(partition)}, {"from", previous}, {"position", std::to_string(entry.position)}});
  owned_[partition] = {std::make_unique<Partition>(context_, claim, entry.position, former), entry};
}

/// False: another worker was faster, or replaced the entry where the servers should have rejected it.
bool OwnedPartitions::write_claim(std::int64_t partition, PartitionEntry& entry) {
  try {
    entry.revision = roster_.write(partition, entry);
  } catch (const WriteConflict&) {
    return false;
  }
  return roster_.is_current(partition, entry.revision);
}

void OwnedPartitions::end(std::int64_t count) {
  for (auto place = owned_.rbegin(); count > 0 && place != owned_.rend(); ++place, --count)
    place->second.partition->end();
}

void OwnedPartitions::release_ended() {
  std::erase_if(owned_, [this](const auto& place) {
    const Owned& owned = place.second;
    if (!owned.partition->claim().holds()) owned.partition->end();
    if (!owned.partition->has_ended()) return false;
    release(owned);
    return true;
  });
}

/// Without a valid claim there is nothing to release.
void OwnedPartitions::release(const Owned& owned) {
  const Partition& partition = *owned.partition;
  if (!partition.claim().holds()) return;
  PartitionEntry entry = owned.entry;
  entry.worker.clear();
  entry.position = partition.position();
  try {
    roster_.write(partition.claim().partition(), entry);
  } catch (const NatsError& error) {  // others take it over when the lease expires
    log(LogLevel::kWarning, "a partition could not be released", {{"reason", error.what()}});
  }
}

void OwnedPartitions::write_positions() {
  for (auto& [number, owned] : owned_) {
    const std::uint64_t position = owned.partition->position();
    if (position == owned.entry.position || !owned.partition->claim().holds()) continue;
    try {
      PartitionEntry entry = owned.entry;
      entry.position = position;
      entry.revision = roster_.write(number, entry);
      owned.entry = entry;
    } catch (const WriteConflict& conflict) {
      ++context_.counters.fenced;
      mark_lost(owned, conflict.what());
    }
  }
}

/// NATS servers 2.9 with several replicas may let two writers replace one entry; the later one owns the partition.
void OwnedPartitions::end_lost() {
  for (auto& [number, owned] : owned_) {
    const PartitionEntry observed = roster_.partition(number);
    if (observed.revision <= owned.entry.revision) continue;
    if (observed.worker == context_.worker && observed.epoch == owned.entry.epoch)
      owned.entry = observed;  // written by this worker, but the acknowledgement was lost
    else
      mark_lost(owned, fmt::format("the entry of partition {} names worker '{}'", number, observed.worker));
  }
}

void OwnedPartitions::mark_lost(const Owned& owned, const std::string& reason) {
  if (owned.partition->claim().is_lost()) return;
  log(LogLevel::kWarning, "a partition belongs to another worker", {{"reason", reason}});
  owned.partition->claim().mark_lost();
}

}  // namespace stad::cluster
