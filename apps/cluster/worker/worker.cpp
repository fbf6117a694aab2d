#include "cluster/worker/worker.hpp"

#include <unistd.h>

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "serving/log.hpp"

namespace stad::cluster {
namespace {

using serving::log;
using serving::LogLevel;

constexpr auto kRetry = std::chrono::milliseconds(200);
constexpr auto kLayoutTimeout = std::chrono::seconds(60);  // with servers that have not elected a leader
constexpr int kExpiredLeases = 4;                          // leases without renewal
constexpr auto kLeaveTimeout = std::chrono::seconds(15);   // for partitions to commit

std::int64_t create_layout_with_retries(const NatsConnection& connection, const LayoutSettings& settings) {
  for (const auto until = std::chrono::steady_clock::now() + kLayoutTimeout;;) {
    try {
      return create_layout(connection, settings);
    } catch (const NatsError& error) {
      if (std::chrono::steady_clock::now() >= until) throw;
      log(LogLevel::kWarning, "the servers are not ready", {{"reason", error.what()}});
      std::this_thread::sleep_for(kRetry);
    }
  }
}

}  // namespace

std::string new_worker_id() {
  char host[65] = "worker";
  gethostname(host, sizeof host - 1);
  std::string id = token_of(host);
  return fmt::format("{}-{}-{:04x}", id, getpid(), std::random_device()() & 0xffff);
}

Worker::Worker(const WorkerSettings& settings, const NatsConnection& connection, const serving::Models& models)
    : settings_(settings),
      cache_(settings.cache),
      context_{settings_.id, settings_.layout.partitions, connection, models, settings_.partition, counters_, cache_},
      roster_(connection, create_layout_with_retries(connection, settings.layout)),
      lease_(settings.lease),
      owned_(context_, roster_, lease_),
      had_share_(Clock::now()),
      reported_(Clock::now()) {}

void Worker::run(const std::atomic<bool>& is_ending) {
  const auto period = settings_.lease / 5;
  while (!is_ending) {
    try {
      if (Clock::now() >= next_renewal_) {
        renew();
        next_renewal_ = Clock::now() + period;
        owned_.end_lost();
        owned_.write_positions();
        remove_expired_workers();
      }
      roster_.refresh(std::min(period, std::chrono::milliseconds(300)));
      release_ended();
      if (roster_.is_complete()) rebalance();
    } catch (const NatsError& error) {
      log(LogLevel::kWarning, "the servers cannot be reached", {{"reason", error.what()}});
      next_renewal_ = {};
      std::this_thread::sleep_for(kRetry);
    }
  }
  leave();
}

void Worker::release_ended() {
  owned_.release_ended();
  waiting_ = owned_.waiting();
  owned_count_ = static_cast<std::uint64_t>(owned_.size());
}

void Worker::renew() {
  const std::uint64_t term = lease_.term();
  lease_.renew([&] { roster_.announce(report()); });
  if (term > 0 && lease_.term() != term)
    log(LogLevel::kWarning, "the lease expired before it was renewed", {{"worker", settings_.id}});
}

WorkerEntry Worker::report() {
  const std::uint64_t batches = counters_.batches;
  if (const std::chrono::duration<double> gone = Clock::now() - reported_; gone.count() >= 1) {
    batches_per_second_ = static_cast<double>(batches - reported_batches_) / gone.count();
    reported_batches_ = batches;
    reported_ = Clock::now();
  }
  WorkerEntry entry;
  entry.id = settings_.id;
  entry.time = serving::seconds_since_epoch();
  entry.is_leaving = is_leaving_;
  entry.batches = batches;
  entry.rows = counters_.rows;
  entry.batches_per_second = batches_per_second_;
  entry.takeovers = counters_.takeovers;
  entry.fenced = counters_.fenced;
  entry.redelivered = counters_.redelivered;
  entry.dead = counters_.dead;
  return entry;
}

/// Removes workers that own nothing and whose lease expired long ago.
void Worker::remove_expired_workers() {
  for (const auto& worker : roster_.workers()) {
    if (worker.silence > kExpiredLeases * settings_.lease && !roster_.owns_any(worker.id) &&
        roster_.is_expired(worker.id, kExpiredLeases * settings_.lease))
      roster_.remove_worker(worker.id);
  }
}

/// The number of partitions of this worker: an equal share among the workers with valid leases that are not leaving.
std::int64_t Worker::fair_share() const {
  std::vector<std::string> ids{settings_.id};
  for (const auto& worker : roster_.workers())
    if (worker.id != settings_.id && !worker.is_leaving && worker.silence < settings_.lease) ids.push_back(worker.id);
  std::ranges::sort(ids);
  const auto count = static_cast<std::int64_t>(ids.size());
  const auto rank = std::ranges::find(ids, settings_.id) - ids.begin();
  return roster_.partitions() / count + (rank < roster_.partitions() % count ? 1 : 0);
}

void Worker::rebalance() {
  const std::int64_t share = fair_share();
  std::int64_t surplus = owned_.size() - share;
  owned_.end(surplus);
  // Every worker starts at another partition, so that workers that start together seldom claim the same.
  const auto first = static_cast<std::int64_t>(std::hash<std::string>()(settings_.id) % 1'000'003);
  // A claim waits for the servers: the lease must be renewed in time.
  for (std::int64_t i = 0; surplus < 0 && i < roster_.partitions() && Clock::now() < next_renewal_; ++i) {
    const std::int64_t partition = (first + i) % roster_.partitions();
    if (owned_.contains(partition) || !is_free(partition)) continue;
    owned_.claim(partition);
    ++surplus;
  }
  release_unowned();
  // Less than the share for a whole lease indicates a stale view of the ownership.
  if (owned_.size() >= share) {
    had_share_ = Clock::now();
  } else if (Clock::now() - had_share_ > settings_.lease) {
    roster_.resync();
    had_share_ = Clock::now();
  }
}

/// Releases entries that name this worker but were lost with an earlier lease and are not needed for its share.
void Worker::release_unowned() {
  for (std::int64_t partition = 0; partition < roster_.partitions(); ++partition) {
    PartitionEntry entry = roster_.partition(partition);
    if (entry.worker != settings_.id || owned_.contains(partition)) continue;
    entry.worker.clear();
    try {
      roster_.write(partition, entry);
    } catch (const WriteConflict&) {  // the view is stale
    }
  }
}

bool Worker::is_free(std::int64_t partition) const {
  const PartitionEntry entry = roster_.partition(partition);
  return entry.worker.empty() || entry.worker == settings_.id || roster_.is_expired(entry.worker, settings_.lease);
}

void Worker::leave() {
  is_leaving_ = true;
  owned_.end(owned_.size());
  for (const auto until = Clock::now() + kLeaveTimeout; owned_.size() > 0 && Clock::now() < until;) {
    try {
      renew();
      release_ended();
    } catch (const NatsError&) {
    }
    std::this_thread::sleep_for(kRetry);
  }
  const bool is_done = owned_.size() == 0;
  owned_.clear();
  try {
    roster_.remove_worker(settings_.id);
  } catch (const NatsError&) {  // others remove the entry when the lease has expired
  }
  log(LogLevel::kInfo, is_done ? "left" : "left before everything was committed", {{"worker", settings_.id}});
}

}  // namespace stad::cluster
