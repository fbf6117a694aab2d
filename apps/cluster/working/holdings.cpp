#include "cluster/working/holdings.hpp"

#include <utility>

#include <fmt/format.h>

#include "cluster/names.hpp"
#include "server/telemetry/log.hpp"

namespace stad::cluster {
namespace {

using server::log;
using server::LogLevel;

}  // namespace

std::uint64_t Holdings::waiting() const {
  std::uint64_t waiting = 0;
  for (const auto& [number, owned] : owned_) waiting += owned.partition->waiting();
  return waiting;
}

void Holdings::claim(std::int64_t partition) {
  PartitionEntry entry = roster_.partition(partition);
  const std::string before = std::exchange(entry.worker, place_.worker);
  const std::string former = before.empty() ? "" : consumer_name(partition, entry.epoch, before);
  entry.epoch = roster_.newest_revision() + 1;
  const Claim claim(lease_, partition, entry.epoch);  // of the present term, however long the writing takes
  if (!write_claim(partition, entry)) return;
  if (!before.empty()) ++place_.figures.takeovers;
  log(LogLevel::kInfo, before.empty() ? "a partition was taken" : "a partition was taken over",
      {{"partition", std::to_string(partition)}, {"from", before}, {"position", std::to_string(entry.position)}});
  owned_[partition] = {std::make_unique<Partition>(place_, claim, entry.position, former), entry};
}

/// False: another was faster, or came after us where the servers should have refused it.
bool Holdings::write_claim(std::int64_t partition, PartitionEntry& entry) {
  try {
    entry.revision = roster_.write(partition, entry);
  } catch (const Conflict&) {
    return false;
  }
  return roster_.stands(partition, entry.revision);
}

void Holdings::end(std::int64_t count) {
  for (auto place = owned_.rbegin(); count > 0 && place != owned_.rend(); ++place, --count)
    place->second.partition->end();
}

void Holdings::drop_ended() {
  std::erase_if(owned_, [this](const auto& place) {
    const Owned& owned = place.second;
    if (!owned.partition->claim().holds()) owned.partition->end();
    if (!owned.partition->has_ended()) return false;
    release(owned);
    return true;
  });
}

/// Where it is still ours to give.
void Holdings::release(const Owned& owned) {
  const Partition& partition = *owned.partition;
  if (!partition.claim().holds()) return;
  PartitionEntry entry = owned.entry;
  entry.worker.clear();
  entry.position = partition.position();
  try {
    roster_.write(partition.claim().partition(), entry);
  } catch (const Trouble& trouble) {  // others find out when we fall silent or leave
    log(LogLevel::kWarning, "a partition could not be given back", {{"reason", trouble.what()}});
  }
}

void Holdings::tell_positions() {
  for (auto& [number, owned] : owned_) {
    const std::uint64_t position = owned.partition->position();
    if (position == owned.entry.position || !owned.partition->claim().holds()) continue;
    try {
      PartitionEntry entry = owned.entry;
      entry.position = position;
      entry.revision = roster_.write(number, entry);
      owned.entry = entry;
    } catch (const Conflict& conflict) {
      ++place_.figures.fenced;
      lose(owned, conflict.what());
    }
  }
}

/// Servers of 2.9 with several replicas may let two writers replace one entry; the later has the partition.
void Holdings::drop_lost() {
  for (auto& [number, owned] : owned_) {
    const PartitionEntry seen = roster_.partition(number);
    if (seen.revision <= owned.entry.revision) continue;
    if (seen.worker == place_.worker && seen.epoch == owned.entry.epoch)
      owned.entry = seen;  // ours, though the receipt was lost
    else
      lose(owned, fmt::format("the entry of partition {} is of worker '{}'", number, seen.worker));
  }
}

void Holdings::lose(const Owned& owned, const std::string& reason) {
  if (owned.partition->claim().is_lost()) return;
  log(LogLevel::kWarning, "a partition is another's", {{"reason", reason}});
  owned.partition->claim().lose();
}

}  // namespace stad::cluster
