#include "server/service/service.hpp"

#include <fmt/format.h>

#include "serving/log.hpp"

namespace stad::server {
namespace {

constexpr int kBackgroundThreads = 2;

}  // namespace

Service::Service(ServiceSettings settings, std::unique_ptr<Store> store, Metrics& metrics, Forwarder* forwarder)
    : settings_(settings),
      store_(std::move(store)),
      pool_(settings.threads),
      background_(kBackgroundThreads),
      scheduler_(pool_, [this](const StreamPointer& stream,
                               std::vector<InferTask> tasks) { inference_.answer(stream, std::move(tasks)); }),
      monitor_(*store_, scheduler_, pool_, metrics),
      checkpointer_(settings.checkpoints, *store_, scheduler_, pool_,
                    [this](const StreamName& name, const std::string& message) {
                      log(LogLevel::kError, "a stored state is damaged",
                          {{"model", name.model}, {"stream", name.stream}, {"reason", message}});
                      monitor_.record_event(new_event(name, "damaged", message, ""));
                    }),
      inference_(models_, scheduler_, checkpointer_, monitor_, settings.streams_per_token, forwarder),
      stream_administration_(models_, *store_, scheduler_, checkpointer_, monitor_, settings.kept_snapshots),
      model_administration_(models_, *store_, scheduler_, checkpointer_, monitor_, metrics) {
  checkpointer_.start();
  monitor_.start();
  probe_store();
}

Service::~Service() {
  background_.close();
  pool_.close();
  checkpointer_.stop();
  if (const Status status = store_->flush(); !status)
    log(LogLevel::kError, "not everything could be saved", {{"reason", status.error().message}});
  store_.reset();  // before the members that its callbacks use
  scheduler_.discard_tasks();
}

/// Once a second while writes fail: a service that is not ready receives no requests whose writes would show that the
/// disk has recovered.
void Service::probe_store() {
  if (store_->is_failing()) store_->probe([](const Status&) {});
  pool_.run_at(TaskPool::Clock::now() + std::chrono::seconds(1), [this] { probe_store(); });
}

std::vector<std::string> Service::obstacles() const {
  std::vector<std::string> reasons;
  if (store_->is_corrupt()) reasons.emplace_back("the database is damaged: put a backup in its place");
  if (store_->is_failing()) reasons.emplace_back("the last write to the database failed: see the log");
  const auto free = store_->free_bytes();
  if (free && *free < settings_.min_free)
    reasons.push_back(
        fmt::format("{} bytes are free on the disk, must be at least {} (min_free)", *free, settings_.min_free));
  if (const std::size_t damaged = checkpointer_.quarantine().size(); damaged > 0)
    reasons.push_back(fmt::format("damaged states: {}; the event damaged names each", damaged));
  return reasons;
}

}  // namespace stad::server
