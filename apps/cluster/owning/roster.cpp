#include "cluster/owning/roster.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cluster/names.hpp"

namespace stad::cluster {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kWorkerPrefix = "worker.";
constexpr auto kPatience = std::chrono::seconds(3);  // with a view that does not show what we wrote

std::string worker_key(const std::string& worker) { return std::string(kWorkerPrefix) + worker; }
std::string partition_key(std::int64_t partition) { return fmt::format("partition.{}", partition); }

/// Written by one of ours; one that is not is taken for empty.
Json object_of(const std::string& text) {
  Json object = Json::parse(text, nullptr, false);
  return object.is_object() ? object : Json::object();
}

WorkerEntry worker_of(const std::string& id, const SeenEntry& seen) {
  const Json object = object_of(seen.value);
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
  entry.revision = seen.revision;
  entry.silence = Clock::now() - seen.since;
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

Roster::Roster(const Connection& connection, std::int64_t partitions)
    : connection_(connection), bucket_(connection, kOwnershipBucket), partitions_(partitions) {}

void Roster::refresh(std::chrono::milliseconds wait) {
  if (!feed_) {
    feed_ = std::make_unique<BucketFeed>(connection_, bucket_);
    behind_since_ = Clock::now();
  }
  try {
    feed_->take_changes(entries_, wait);
  } catch (const Trouble&) {
    doubt();
    throw;
  }
  is_whole_ |= feed_->is_whole();
  if (feed_->is_whole() && newest_seen() >= told_revision_)
    behind_since_ = Clock::now();
  else if (Clock::now() - behind_since_ > kPatience)
    doubt();
}

std::uint64_t Roster::newest_seen() const {
  std::uint64_t newest = 0;
  for (const auto& [key, seen] : entries_) newest = std::max(newest, seen.revision);
  return newest;
}

std::uint64_t Roster::newest_revision() const { return std::max(newest_seen(), told_revision_); }

std::vector<WorkerEntry> Roster::workers() const {
  std::vector<WorkerEntry> workers;
  for (const auto& [key, seen] : entries_)
    if (key.starts_with(kWorkerPrefix)) workers.push_back(worker_of(key.substr(kWorkerPrefix.size()), seen));
  return workers;
}

PartitionEntry Roster::partition(std::int64_t partition) const {
  const auto found = entries_.find(partition_key(partition));
  if (found == entries_.end()) return {};
  const Json object = object_of(found->second.value);
  return {object.value("worker", std::string()), object.value("position", std::uint64_t{0}),
          object.value("epoch", std::uint64_t{0}), found->second.revision};
}

bool Roster::is_silent(const std::string& worker, std::chrono::milliseconds duration) const {
  const auto found = entries_.find(worker_key(worker));
  if (found != entries_.end() && Clock::now() - found->second.since < duration) return false;
  const auto now = bucket_.read(worker_key(worker));
  if (!now || now->value.empty()) return true;  // it has left
  return found != entries_.end() && found->second.revision == now->revision;
}

void Roster::tell(const WorkerEntry& worker) { told_revision_ = bucket_.write(worker_key(worker.id), text_of(worker)); }

void Roster::leave(const std::string& worker) { bucket_.remove(worker_key(worker)); }

std::uint64_t Roster::write(std::int64_t partition, const PartitionEntry& entry) {
  told_revision_ = bucket_.write(partition_key(partition), text_of(entry), entry.revision);
  return told_revision_;
}

bool Roster::stands(std::int64_t partition, std::uint64_t revision) const {
  const auto now = bucket_.read(partition_key(partition));
  return now && now->revision == revision;
}

}  // namespace stad::cluster
