#include "cluster/worker/partition.hpp"

#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "serving/log.hpp"

namespace stad::cluster {
namespace {

using serving::log;
using serving::LogLevel;

constexpr int kFetch = 128;                              // messages of one fetch
constexpr auto kWait = std::chrono::milliseconds(250);   // for the first message
constexpr auto kPause = std::chrono::milliseconds(300);  // before a restart
constexpr const char* kFenced = "a write was fenced";
constexpr const char* kRestarted = "a partition restarts";
constexpr auto kStallCheck = std::chrono::seconds(3);  // without a message, after which the consumer is checked
constexpr auto kStallRecheck = std::chrono::seconds(1);

}  // namespace

Partition::Partition(const WorkerContext& context, const Claim& claim, std::uint64_t position, std::string former)
    : context_(context),
      claim_(claim),
      consumer_name_(consumer_name(claim.partition(), claim.epoch(), context.worker)),
      stale_consumer_(std::move(former)),
      processor_(context_, claim_),
      position_(position),
      thread_([this] { run(); }) {}

Partition::~Partition() {
  end();
  thread_.join();
}

void Partition::run() {
  while (!is_ending_ && claim_.holds()) {
    try {
      open_consumer();
      while (!is_ending_) step();
      commit();
    } catch (const ClaimExpired& expired) {
      // An expired claim without uncommitted messages loses nothing.
      if (uncommitted_ > 0 || claim_.holds()) back_off(kFenced, expired.what(), context_.counters.fenced);
    } catch (const WriteConflict& conflict) {
      back_off(kFenced, conflict.what(), context_.counters.fenced);
    } catch (const AppError& failure) {  // a state that cannot be written
      back_off(kRestarted, failure.error.message, context_.counters.restarts);
    } catch (const std::exception& error) {
      back_off(kRestarted, error.what(), context_.counters.restarts);
    }
  }
  reset();
  if (claim_.holds())
    remove_consumer(context_.connection, kInputStream, consumer_name_);  // otherwise the new owner removes it
  has_ended_ = true;
}

void Partition::back_off(const char* event, const std::string& reason, std::atomic<std::uint64_t>& count) {
  ++count;
  log(LogLevel::kWarning, event, {{"partition", std::to_string(claim_.partition())}, {"reason", reason}});
  for (const auto until = Clock::now() + kPause; !is_ending_ && Clock::now() < until;)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

/// Starts from the committed position.
void Partition::open_consumer() {
  reset();
  if (!stale_consumer_.empty()) remove_consumer(context_.connection, kInputStream, std::exchange(stale_consumer_, {}));
  try {
    consumer_ = std::make_unique<PullConsumer>(
        context_.connection, ConsumerSettings{.stream = kInputStream,
                                              .name = consumer_name_,
                                              .filter = partition_filter(claim_.partition()),
                                              .first = position_ + 1,
                                              .max_unacknowledged = context_.settings.max_in_flight + kFetch});
    stale_consumer_ = consumer_name_;
  } catch (const NatsTimeout&) {  // its replicas elect a leader for up to ten seconds; a retry finds the same consumer
    throw;
  } catch (const NatsError&) {
    stale_consumer_ = consumer_name_;
    throw;
  }
}

void Partition::reset() {
  consumer_.reset();
  processor_.clear();
  uncommitted_ = 0;
  processed_position_ = position_;
  newest_ = nullptr;
  committed_ = Clock::now();
  next_stall_check_ = Clock::now() + kStallCheck;
  may_be_stalled_ = false;
}

void Partition::step() {
  auto deliveries = consumer_->fetch(kFetch, kWait);
  if (!deliveries.empty()) {
    next_stall_check_ = Clock::now() + kStallCheck;
    may_be_stalled_ = false;
  } else if (Clock::now() > next_stall_check_) {
    check_stalled();
  }
  for (auto& delivery : deliveries) process(std::move(delivery));
  waiting_ = consumer_->waiting();
  processor_.flush();
  if (commit_is_due()) commit();
  processor_.cache().evict();
}

/// After the loss of a leader the servers may keep a consumer that delivers nothing. A message that arrives during the
/// check looks the same, so the check is repeated before the consumer is recreated.
void Partition::check_stalled() {
  const std::string reason = stall_reason();
  if (may_be_stalled_ && !reason.empty()) throw NatsError(reason);
  may_be_stalled_ = !reason.empty();
  next_stall_check_ = Clock::now() + (may_be_stalled_ ? kStallRecheck : kStallCheck);
}

/// Why the consumer seems to be stalled, or to have delivered messages to a lost connection, which it would repeat only
/// after a minute. Empty: it is not.
std::string Partition::stall_reason() const {
  const auto progress = progress_of(context_.connection, kInputStream, consumer_name_);
  if (!progress) return "the servers have lost the consumer";
  if (progress->waiting > 0) return fmt::format("{} messages wait and none is delivered", progress->waiting);
  if (progress->unacknowledged > static_cast<std::uint64_t>(uncommitted_))
    return fmt::format("{} messages were delivered and {} were received", progress->unacknowledged, uncommitted_);
  return "";
}

void Partition::process(Delivery delivery) {
  claim_.check();
  if (delivery.times_delivered > 1) ++context_.counters.redelivered;
  processor_.cache().evict();
  processor_.process(delivery, position_);
  ++uncommitted_;
  if (delivery.sequence > processed_position_) {
    processed_position_ = delivery.sequence;
    newest_ = std::make_unique<Delivery>(std::move(delivery));
  }
  if (processor_.cache().exceeds_dirty_limit()) commit();
}

bool Partition::commit_is_due() const {
  if (uncommitted_ == 0) return false;
  return uncommitted_ >= context_.settings.max_in_flight || Clock::now() - committed_ >= context_.settings.interval;
}

/// Stores results, then states with their positions, then acknowledges the messages.
void Partition::commit() {
  processor_.flush();
  processor_.save();
  if (newest_) acknowledge(*std::exchange(newest_, nullptr));
  position_ = processed_position_;
  uncommitted_ = 0;
  committed_ = Clock::now();
  ++context_.counters.commits;
}

}  // namespace stad::cluster
