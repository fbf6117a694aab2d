#include "cluster/ownership/roster.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cluster/layout/names.hpp"

namespace stad::cluster {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kWorkerPrefix = "worker.";
constexpr auto kResyncAfter = std::chrono::seconds(3);  // of a view that does not show the last write

std::string worker_key(const std::string& worker) { return std::string(kWorkerPrefix) + worker; }
std::string partition_key(std::int64_t partition) { return fmt::format("partition.{}", partition); }

/// An entry that is not a JSON object is treated as empty.
Json object_of(const std::string& text) {
  Json object = Json::parse(text, nullptr, false);
  return object.is_object() ? object : Json::object();
}

WorkerEntry worker_of(const std::string& id, const ObservedEntry& observed) {
  const Json object = object_of(observed.value);
  WorkerEntry entry;
  entry.id = id;
  entry.time = object.value("time", 0.0);
  entry.is_leaving = object.value("leaving", false);
  entry.batches = object.value("batches", std::uint64_t{0});
  entry.rows = object.value("rows", std::uint64_t{0});
  entry.batches_per_second = object.value("batches_per_second", 0.0);
  entry.takeovers = object.value("takeovers", std::uint64_t{0});
  entry.fenced = object.value("fenced", std::uint64_t{0});
  entry.redelivered = object.value("redelivered", std::uint64_t{0});
  entry.dead = object.value("dead", std::uint64_t{0});
  entry.revision = observed.revision;
  entry.silence = Clock::now() - observed.since;
  return entry;
}

}  // namespace

std::string text_of(const PartitionEntry& entry) {
  return Json{{"worker", entry.worker}, {"position", entry.position}, {"epoch", entry.epoch}}.dump();
}

std::string text_of(const WorkerEntry& entry) {
  return Json{{"time", entry.time},
              {"leaving", entry.is_leaving},
              {"batches", entry.batches},
              {"rows", entry.rows},
              {"batches_per_second", entry.batches_per_second},
              {"takeovers", entry.takeovers},
              {"fenced", entry.fenced},
              {"redelivered", entry.redelivered},
              {"dead", entry.dead}}
      .dump();
}

Roster::Roster(const NatsConnection& connection, std::int64_t partitions)
    : connection_(connection), bucket_(connection, kOwnershipBucket), partitions_(partitions) {}

void Roster::refresh(std::chrono::milliseconds wait) {
  if (!watch_) {
    watch_ = std::make_unique<BucketWatch>(connection_, bucket_);
    behind_since_ = Clock::now();
  }
  try {
    watch_->take_changes(entries_, wait);
  } catch (const NatsError&) {
    resync();
    throw;
  }
  is_complete_ |= watch_->is_complete();
  if (watch_->is_complete() && newest_observed() >= written_revision_)
    behind_since_ = Clock::now();
  else if (Clock::now() - behind_since_ > kResyncAfter)
    resync();
}

std::uint64_t Roster::newest_observed() const {
  std::uint64_t newest = 0;
  for (const auto& [key, observed] : entries_) newest = std::max(newest, observed.revision);
  return newest;
}

std::uint64_t Roster::newest_revision() const { return std::max(newest_observed(), written_revision_); }

std::vector<WorkerEntry> Roster::workers() const {
  std::vector<WorkerEntry> workers;
  for (const auto& [key, observed] : entries_)
    if (key.starts_with(kWorkerPrefix)) workers.push_back(worker_of(key.substr(kWorkerPrefix.size()), observed));
  return workers;
}

PartitionEntry Roster::partition(std::int64_t partition) const {
  const auto found = entries_.find(partition_key(partition));
  if (found == entries_.end()) return {};
  const Json object = object_of(found->second.value);
  return {object.value("worker", std::string()), object.value("position", std::uint64_t{0}),
          object.value("epoch", std::uint64_t{0}), found->second.revision};
}

bool Roster::owns_any(const std::string& worker) const {
  for (std::int64_t i = 0; i < partitions_; ++i)
    if (partition(i).worker == worker) return true;
  return false;
}

bool Roster::is_expired(const std::string& worker, std::chrono::milliseconds duration) const {
  const auto found = entries_.find(worker_key(worker));
  if (found != entries_.end() && Clock::now() - found->second.since < duration) return false;
  const auto now = bucket_.read(worker_key(worker));
  if (!now || now->value.empty()) return true;  // the worker has left
  return found != entries_.end() && found->second.revision == now->revision;
}

void Roster::announce(const WorkerEntry& worker) {
  written_revision_ = bucket_.write(worker_key(worker.id), text_of(worker));
}

void Roster::remove_worker(const std::string& worker) { bucket_.remove(worker_key(worker)); }

std::uint64_t Roster::write(std::int64_t partition, const PartitionEntry& entry) {
  written_revision_ = bucket_.write(partition_key(partition), text_of(entry), entry.revision);
  return written_revision_;
}

bool Roster::is_current(std::int64_t partition, std::uint64_t revision) const {
  const auto now = bucket_.read(partition_key(partition));
  return now && now->revision == revision;
}

}  // namespace stad::cluster
