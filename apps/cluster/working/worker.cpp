#include "cluster/working/worker.hpp"

#include <unistd.h>

#include <algorithm>
#include <random>
#include <ranges>

#include <fmt/format.h>

#include "server/serving/keeper.hpp"
#include "server/telemetry/log.hpp"

namespace stad::cluster {
namespace {

using Clock = std::chrono::steady_clock;
using server::log;
using server::LogLevel;

constexpr auto kRetry = std::chrono::milliseconds(200);
constexpr auto kPatience = std::chrono::seconds(60);  // with servers that have not elected who leads
constexpr int kForgottenAfter = 4;                    // leases of silence
constexpr auto kLeaving = std::chrono::seconds(15);   // for partitions to commit

std::int64_t layout_in_time(const Connection& connection, const LayoutSettings& settings) {
  for (const auto until = Clock::now() + kPatience;;) {
    try {
      return make_layout(connection, settings);
    } catch (const Trouble& trouble) {
      if (Clock::now() >= until) throw;
      log(LogLevel::kWarning, "the servers are not ready", {{"reason", trouble.what()}});
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

Worker::Worker(const WorkerSettings& settings, const Connection& connection, const server::Models& models)
    : settings_(settings),
      cache_(settings.cache),
      place_{settings_.id, settings_.layout.partitions, connection, models, settings_.working, figures_, cache_},
      roster_(connection, layout_in_time(connection, settings.layout)),
      lease_(settings.lease),
      holdings_(place_, roster_, lease_),
      content_(Clock::now()),
      reported_(Clock::now()) {}

void Worker::work(const std::atomic<bool>& is_ending) {
  const auto beat = settings_.lease / 5;
  while (!is_ending) {
    try {
      if (Clock::now() >= due_) {
        renew();
        due_ = Clock::now() + beat;
        holdings_.drop_lost();
        holdings_.tell_positions();
        forget_the_dead();
      }
      roster_.refresh(std::min(beat, std::chrono::milliseconds(300)));
      drop_ended();
      if (roster_.is_whole()) share();
    } catch (const Trouble& trouble) {
      log(LogLevel::kWarning, "the servers are out of reach", {{"reason", trouble.what()}});
      due_ = {};
      std::this_thread::sleep_for(kRetry);
    }
  }
  leave();
}

void Worker::drop_ended() {
  holdings_.drop_ended();
  waiting_ = holdings_.waiting();
  owned_ = static_cast<std::uint64_t>(holdings_.size());
}

void Worker::renew() {
  const std::uint64_t term = lease_.term();
  lease_.renew([&] { roster_.tell(report()); });
  if (term > 0 && lease_.term() != term)
    log(LogLevel::kWarning, "the lease was over before it could be renewed", {{"worker", settings_.id}});
}

WorkerEntry Worker::report() {
  const std::uint64_t batches = figures_.batches;
  if (const std::chrono::duration<double> gone = Clock::now() - reported_; gone.count() >= 1) {
    batches_per_second_ = static_cast<double>(batches - reported_batches_) / gone.count();
    reported_batches_ = batches;
    reported_ = Clock::now();
  }
  WorkerEntry entry;
  entry.id = settings_.id;
  entry.time = server::now_in_seconds();
  entry.is_leaving = is_leaving_;
  entry.batches = batches;
  entry.rows = figures_.rows;
  entry.batches_per_second = batches_per_second_;
  entry.takeovers = figures_.takeovers;
  entry.fenced = figures_.fenced;
  entry.redelivered = figures_.redelivered;
  entry.dead = figures_.dead;
  return entry;
}

/// Workers that have long been silent and own nothing any more.
void Worker::forget_the_dead() {
  for (const auto& worker : roster_.workers()) {
    const auto owns = [&](std::int64_t partition) { return roster_.partition(partition).worker == worker.id; };
    const auto partitions = std::views::iota(std::int64_t{0}, roster_.partitions());
    if (worker.silence > kForgottenAfter * settings_.lease && std::ranges::none_of(partitions, owns) &&
        roster_.is_silent(worker.id, kForgottenAfter * settings_.lease))
      roster_.leave(worker.id);
  }
}

/// Of partitions, among the workers that are heard of and stay.
std::int64_t Worker::fair_share() const {
  std::vector<std::string> ids{settings_.id};
  for (const auto& worker : roster_.workers())
    if (worker.id != settings_.id && !worker.is_leaving && worker.silence < settings_.lease) ids.push_back(worker.id);
  std::ranges::sort(ids);
  const auto count = static_cast<std::int64_t>(ids.size());
  const auto rank = std::ranges::find(ids, settings_.id) - ids.begin();
  return roster_.partitions() / count + (rank < roster_.partitions() % count ? 1 : 0);
}

void Worker::share() {
  const std::int64_t share = fair_share();
  std::int64_t surplus = holdings_.size() - share;
  holdings_.end(surplus);
  // Beginning at another place each, so that workers that begin together seldom want the same.
  const auto first = static_cast<std::int64_t>(std::hash<std::string>()(settings_.id) % 1'000'003);
  // Claiming waits for the servers: nobody may think us dead meanwhile.
  for (std::int64_t i = 0; surplus < 0 && i < roster_.partitions() && Clock::now() < due_; ++i) {
    const std::int64_t partition = (first + i) % roster_.partitions();
    if (holdings_.contains(partition) || !is_free(partition)) continue;
    holdings_.claim(partition);
    ++surplus;
  }
  give_back_forgotten();
  // Where others must have too much for too long, we were not told of something.
  if (holdings_.size() >= share) {
    content_ = Clock::now();
  } else if (Clock::now() - content_ > settings_.lease) {
    roster_.doubt();
    content_ = Clock::now();
  }
}

/// Partitions that are ours by name alone: we lost them with a lease, and have our share without them.
void Worker::give_back_forgotten() {
  for (std::int64_t partition = 0; partition < roster_.partitions(); ++partition) {
    PartitionEntry entry = roster_.partition(partition);
    if (entry.worker != settings_.id || holdings_.contains(partition)) continue;
    entry.worker.clear();
    try {
      roster_.write(partition, entry);
    } catch (const Conflict&) {  // what we know of it is old
    }
  }
}

bool Worker::is_free(std::int64_t partition) const {
  const PartitionEntry entry = roster_.partition(partition);
  return entry.worker.empty() || entry.worker == settings_.id || roster_.is_silent(entry.worker, settings_.lease);
}

void Worker::leave() {
  is_leaving_ = true;
  holdings_.end(holdings_.size());
  for (const auto until = Clock::now() + kLeaving; holdings_.size() > 0 && Clock::now() < until;) {
    try {
      renew();
      drop_ended();
    } catch (const Trouble&) {
    }
    std::this_thread::sleep_for(kRetry);
  }
  const bool is_done = holdings_.size() == 0;
  holdings_.clear();
  try {
    roster_.leave(settings_.id);
  } catch (const Trouble&) {  // others find out when we fall silent
  }
  log(LogLevel::kInfo, is_done ? "left" : "left before everything was committed", {{"worker", settings_.id}});
}

}  // namespace stad::cluster
