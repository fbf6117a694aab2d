#include "cluster/client/worker_watch.hpp"

#include <nlohmann/json.hpp>

#include "cluster/layout/names.hpp"
#include "cluster/nats/bucket.hpp"
#include "serving/log.hpp"
#include "serving/store/records.hpp"

namespace stad::cluster {
namespace {

constexpr auto kWatchPeriod = std::chrono::seconds(1);

/// Age of a worker's entry by its own time stamp.
std::chrono::duration<double> age_of(const Delivery& entry) {
  const auto object = nlohmann::json::parse(entry.payload(), nullptr, false);
  const double time = object.is_object() ? object.value("time", 0.0) : 0.0;
  return std::chrono::duration<double>(serving::seconds_since_epoch() - time);
}

}  // namespace

WorkerWatch::WorkerWatch(const NatsConnection& connection, std::chrono::milliseconds lease)
    : connection_(connection), lease_(lease), thread_([this] { run(); }) {}

WorkerWatch::~WorkerWatch() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  ending_.notify_all();
  thread_.join();
}

void WorkerWatch::run() {
  bool was_readable = true;
  std::unique_lock lock(mutex_);
  do {
    lock.unlock();
    try {
      observe();
      was_readable = true;
    } catch (const NatsError& error) {
      if (std::exchange(was_readable, false) && connection_.is_connected())
        serving::log(serving::LogLevel::kWarning, "the entries of the workers cannot be read; readiness ignores them",
                     {{"reason", error.what()}});
      has_worker_ = true;
    }
    lock.lock();
  } while (!ending_.wait_for(lock, kWatchPeriod, [&] { return is_ending_; }));
}

/// The newest entry suffices: every living worker renews its own within the lease.
void WorkerWatch::observe() {
  const Bucket bucket(connection_, kOwnershipBucket);
  const auto newest = bucket.read_message("worker.*");
  const auto now = std::chrono::steady_clock::now();
  if (newest && newest->sequence != revision_) {
    const bool is_first = revision_ == 0;
    revision_ = newest->sequence;
    changed_ = is_first && age_of(*newest) > lease_ ? now - 2 * lease_ : now;
  }
  has_worker_ = newest && now - changed_ <= lease_;
}

}  // namespace stad::cluster
