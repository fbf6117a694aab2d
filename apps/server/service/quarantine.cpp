#include "server/service/quarantine.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace stad::server {

void Quarantine::check(const StreamName& name) const {
  const std::scoped_lock lock(mutex_);
  if (const auto found = streams_.find(name); found != streams_.end()) reject(500, found->second);
}

/// A state that cannot be read at all is damaged: no request of a client causes that.
void Quarantine::restore(const StreamName& name, StreamSession& session, const StreamRecord& record) {
  try {
    session.restore(record);
  } catch (const AppError& failure) {
    if (http_status(failure) != 400) throw;
    const std::string message = damage_message(name, session, failure.error.message);
    {
      const std::scoped_lock lock(mutex_);
      streams_.insert_or_assign(name, message);
    }
    on_damage_(name, message);
    reject(500, message);
  }
}

void Quarantine::release(const StreamName& name) {
  const std::scoped_lock lock(mutex_);
  streams_.erase(name);
}

void Quarantine::release_model(const std::string& model) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(streams_, [&](const auto& entry) { return entry.first.model == model; });
}

std::size_t Quarantine::size() const {
  const std::scoped_lock lock(mutex_);
  return streams_.size();
}

std::size_t Quarantine::size(const std::string& model) const {
  const std::scoped_lock lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(streams_.begin(), streams_.end(), [&](const auto& entry) { return entry.first.model == model; }));
}

std::string Quarantine::damage_message(const StreamName& name, const StreamSession& session,
                                       const std::string& reason) const {
  const auto snapshot = last_good_snapshot(name, session);
  return fmt::format(
      "the stored state of stream '{}' of model {} is damaged: {}; {}", name.stream, name.model, reason,
      snapshot ? fmt::format("roll it back to snapshot {}, the newest that can be read, or reset it", *snapshot)
               : "it has no snapshot that can be read: reset it");
}

std::optional<std::int64_t> Quarantine::last_good_snapshot(const StreamName& name, const StreamSession& session) const {
  const auto snapshots = store_.snapshots(name);
  if (!snapshots) return std::nullopt;
  for (const auto& snapshot : *snapshots) {
    const auto record = store_.snapshot(name, snapshot.id);
    try {
      if (!record || !*record) continue;
      session.make_empty().restore(**record);
      return snapshot.id;
    } catch (const AppError&) {  // damaged too, or of another model
    }
  }
  return std::nullopt;
}

}  // namespace stad::server
