#include "cluster/client/status.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cluster/layout/names.hpp"
#include "common/json_text.hpp"
#include "common/terminal.hpp"
#include "serving/store/records.hpp"

namespace stad::cluster {
namespace {

using cli::Cell;
using cli::Json;

constexpr auto kRosterTimeout = std::chrono::seconds(3);  // for the content of the ownership bucket

/// The difference of two clocks, the worker's and this machine's.
double silent_seconds(const WorkerEntry& worker) { return std::max(0.0, serving::seconds_since_epoch() - worker.time); }

Json json_of(const JetStreamInfo& info) {
  return {{"messages", info.messages},        {"bytes", info.bytes},
          {"last_sequence", info.last},       {"replicas", info.replicas},
          {"current_replicas", info.current}, {"leader", info.leader}};
}

std::string lag_text(const PartitionStatus& partition) {
  return partition.progress ? std::to_string(partition.progress->waiting + partition.progress->unacknowledged) : "?";
}

/// Waits for the complete content once: with a part of it, owners would appear to be missing.
void refresh(Roster& roster) {
  const auto until = std::chrono::steady_clock::now() + kRosterTimeout;
  do roster.refresh(std::chrono::milliseconds(300));
  while (!roster.is_complete() && std::chrono::steady_clock::now() < until);
  if (!roster.is_complete()) throw NatsError("the servers did not deliver the ownership bucket");
}

std::int64_t owned_by(const ClusterStatus& status, const std::string& worker) {
  std::int64_t count = 0;
  for (const auto& partition : status.partitions) count += partition.entry.worker == worker ? 1 : 0;
  return count;
}

}  // namespace

std::optional<std::uint64_t> ClusterStatus::lag() const {
  std::uint64_t sum = 0;
  for (const auto& [number, entry, progress] : partitions) {
    if (!progress) return std::nullopt;
    sum += progress->waiting + progress->unacknowledged;
  }
  return sum;
}

ClusterStatus status_of(const NatsConnection& connection, Roster& roster) {
  refresh(roster);
  ClusterStatus status;
  status.workers = roster.workers();
  for (std::int64_t p = 0; p < roster.partitions(); ++p) {
    const PartitionEntry entry = roster.partition(p);
    status.partitions.push_back(
        {p, entry, progress_of(connection, kInputStream, consumer_name(p, entry.epoch, entry.worker))});
  }
  status.inputs = stream_info(connection, kInputStream);
  status.results = stream_info(connection, kOutputStream);
  status.dead = stream_info(connection, kDeadStream);
  return status;
}

std::string json_of(const ClusterStatus& status) {
  Json partitions = Json::array();
  for (const auto& [number, entry, progress] : status.partitions) {
    partitions.push_back({{"partition", number},
                          {"worker", entry.worker},
                          {"epoch", entry.epoch},
                          {"position", entry.position},
                          {"waiting", progress ? Json(progress->waiting) : Json()},
                          {"in_flight", progress ? Json(progress->unacknowledged) : Json()}});
  }
  Json workers = Json::array();
  for (const auto& worker : status.workers)
    workers.push_back({{"worker", worker.id},
                       {"partitions", owned_by(status, worker.id)},
                       {"leaving", worker.is_leaving},
                       {"batches", worker.batches},
                       {"rows", worker.rows},
                       {"batches_per_second", worker.batches_per_second},
                       {"takeovers", worker.takeovers},
                       {"fenced", worker.fenced},
                       {"redelivered", worker.redelivered},
                       {"dead", worker.dead},
                       {"silent_seconds", silent_seconds(worker)}});
  return cli::json_text({{"lag", status.lag() ? Json(*status.lag()) : Json()},
                         {"inputs", json_of(status.inputs)},
                         {"results", json_of(status.results)},
                         {"dead", json_of(status.dead)},
                         {"workers", workers},
                         {"partitions", partitions}});
}

std::string text_of(const ClusterStatus& status) {
  std::string text =
      fmt::format("{} inputs, {} results, {} dead, {} behind; {} partitions, {} replica{}\n\n", status.inputs.last,
                  status.results.last, status.dead.last, status.lag() ? std::to_string(*status.lag()) : "?",
                  status.partitions.size(), status.inputs.replicas, status.inputs.replicas == 1 ? "" : "s");
  std::vector<std::vector<Cell>> workers{
      {{"worker"}, {"partitions"}, {"batches/s"}, {"batches"}, {"takeovers"}, {"fenced"}, {"dead"}, {"last seen"}}};
  for (const auto& worker : status.workers)
    workers.push_back({{worker.id + (worker.is_leaving ? " (leaving)" : "")},
                       {std::to_string(owned_by(status, worker.id))},
                       {fmt::format("{:.0f}", worker.batches_per_second)},
                       {std::to_string(worker.batches)},
                       {std::to_string(worker.takeovers)},
                       {std::to_string(worker.fenced)},
                       {std::to_string(worker.dead)},
                       {fmt::format("{:.0f} s ago", silent_seconds(worker))}});
  text += status.workers.empty() ? "no workers\n" : cli::table(workers);
  std::vector<std::vector<Cell>> partitions{{{"partition"}, {"owner"}, {"behind"}, {"in flight"}, {"position"}}};
  for (const auto& partition : status.partitions)
    partitions.push_back({{std::to_string(partition.number)},
                          {partition.entry.worker.empty() ? "none" : partition.entry.worker},
                          {lag_text(partition)},
                          {partition.progress ? std::to_string(partition.progress->unacknowledged) : "?"},
                          {std::to_string(partition.entry.position)}});
  return text + "\n" + cli::table(partitions);
}

}  // namespace stad::cluster
