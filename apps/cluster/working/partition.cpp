#include "cluster/working/partition.hpp"

#include <utility>

#include <fmt/format.h>

#include "server/refusal.hpp"
#include "server/telemetry/log.hpp"

namespace stad::cluster {
namespace {

using Clock = std::chrono::steady_clock;
using server::log;
using server::LogLevel;
using server::Refusal;

constexpr int kAtOnce = 128;                             // messages fetched
constexpr auto kWait = std::chrono::milliseconds(250);   // for the first of them
constexpr auto kPause = std::chrono::milliseconds(300);  // before beginning again
constexpr const char* kFenced = "a write was fenced";
constexpr const char* kBegunAgain = "a partition begins again";
constexpr auto kQuiet = std::chrono::seconds(3);  // without a message, after which we ask whether there is none
constexpr auto kSecondLook = std::chrono::seconds(1);

}  // namespace

Partition::Partition(const Workplace& workplace, const Claim& claim, std::uint64_t position, std::string former)
    : place_(workplace),
      claim_(claim),
      consumer_name_(consumer_name(claim.partition(), claim.epoch(), workplace.worker)),
      stale_(std::move(former)),
      answering_(place_, claim_),
      position_(position),
      thread_([this] { work(); }) {}

Partition::~Partition() {
  end();
  thread_.join();
}

void Partition::work() {
  while (!is_ending_ && claim_.holds()) {
    try {
      begin();
      while (!is_ending_) step();
      commit();
    } catch (const Lapsed& lapsed) {
      // Where nothing was taken and the claim is over, there was nothing to write.
      if (taken_ > 0 || claim_.holds()) rest_after(kFenced, lapsed.what(), place_.figures.fenced);
    } catch (const Conflict& conflict) {
      rest_after(kFenced, conflict.what(), place_.figures.fenced);
    } catch (const Refusal& refusal) {  // a state that cannot be written
      rest_after(kBegunAgain, refusal.message, place_.figures.restarts);
    } catch (const std::exception& trouble) {
      rest_after(kBegunAgain, trouble.what(), place_.figures.restarts);
    }
  }
  drop();
  if (claim_.holds()) remove_consumer(place_.connection, kInputStream, consumer_name_);  // else whoever has it now does
  has_ended_ = true;
}

void Partition::rest_after(const char* what, const std::string& reason, std::atomic<std::uint64_t>& count) {
  ++count;
  log(LogLevel::kWarning, what, {{"partition", std::to_string(claim_.partition())}, {"reason", reason}});
  for (const auto until = Clock::now() + kPause; !is_ending_ && Clock::now() < until;)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

/// From what was committed, whatever happened since.
void Partition::begin() {
  drop();
  if (!stale_.empty()) remove_consumer(place_.connection, kInputStream, std::exchange(stale_, {}));
  try {
    consumer_ = std::make_unique<PullConsumer>(
        place_.connection, ConsumerSettings{.stream = kInputStream,
                                            .name = consumer_name_,
                                            .filter = partition_filter(claim_.partition()),
                                            .first = position_ + 1,
                                            .max_unacknowledged = place_.settings.max_in_flight + kAtOnce});
    stale_ = consumer_name_;
  } catch (const Late&) {  // its replicas elect who leads them, for up to ten seconds: asked again, it is there by then
    throw;
  } catch (const Trouble&) {
    stale_ = consumer_name_;
    throw;
  }
}

void Partition::drop() {
  consumer_.reset();
  answering_.clear();
  taken_ = 0;
  taken_position_ = position_;
  newest_ = nullptr;
  committed_ = Clock::now();
  quiet_until_ = Clock::now() + kQuiet;
  is_doubted_ = false;
}

void Partition::step() {
  auto deliveries = consumer_->fetch(kAtOnce, kWait);
  if (!deliveries.empty()) {
    quiet_until_ = Clock::now() + kQuiet;
    is_doubted_ = false;
  } else if (Clock::now() > quiet_until_) {
    check_quiet();
  }
  for (auto& delivery : deliveries) take(std::move(delivery));
  waiting_ = consumer_->waiting();
  answering_.settle();
  if (commit_is_due()) commit();
  answering_.shelf().make_room();
}

/// Servers that have lost a leader sometimes keep a consumer that nobody serves. A message that comes while we ask
/// looks the same, so we ask twice.
void Partition::check_quiet() {
  const std::string why = stalled();
  if (is_doubted_ && !why.empty()) throw Trouble(why);
  is_doubted_ = !why.empty();
  quiet_until_ = Clock::now() + (is_doubted_ ? kSecondLook : kQuiet);
}

/// Why the consumer seems to have messages and deliver none. Or the servers delivered some to a connection that was
/// lost, and would wait a minute before they do so again. Empty: it does not seem so.
std::string Partition::stalled() const {
  const auto progress = progress_of(place_.connection, kInputStream, consumer_name_);
  if (!progress) return "the servers have lost the consumer";
  if (progress->waiting > 0) return fmt::format("{} messages wait and none is delivered", progress->waiting);
  if (progress->unacknowledged > static_cast<std::uint64_t>(taken_))
    return fmt::format("{} messages were delivered and {} came", progress->unacknowledged, taken_);
  return "";
}

void Partition::take(Delivery delivery) {
  claim_.check();
  if (delivery.times_delivered > 1) ++place_.figures.redelivered;
  answering_.shelf().make_room();
  answering_.take(delivery, position_);
  ++taken_;
  if (delivery.sequence > taken_position_) {
    taken_position_ = delivery.sequence;
    newest_ = std::make_unique<Delivery>(std::move(delivery));
  }
  if (answering_.shelf().is_laden()) commit();
}

bool Partition::commit_is_due() const {
  if (taken_ == 0) return false;
  return taken_ >= place_.settings.max_in_flight || Clock::now() - committed_ >= place_.settings.interval;
}

/// What was learned and how far it is, then that it need not be delivered again.
void Partition::commit() {
  answering_.settle();
  answering_.keep();
  if (newest_) acknowledge(*std::exchange(newest_, nullptr));
  position_ = taken_position_;
  taken_ = 0;
  committed_ = Clock::now();
  ++place_.figures.commits;
}

}  // namespace stad::cluster
