#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "serving/store/store.hpp"
#include "serving/stream_session.hpp"

namespace stad::server {

using namespace serving;

/// Streams whose stored state cannot be read, with the error their requests get. They stay on disk unchanged until they
/// are rolled back, reset, restored or deleted. Held in memory: after a restart a stream is found again by its next
/// request. Thread-safe.
class Quarantine {
 public:
  using OnDamage = std::function<void(const StreamName&, const std::string& message)>;

  /// @param on_damage called by restore() for a state that cannot be read
  Quarantine(const Store& store, OnDamage on_damage) : store_(store), on_damage_(std::move(on_damage)) {}

  /// Throws AppError (500) where the stream is in quarantine.
  void check(const StreamName& name) const;
  /// Restores a session from its stored record. Throws AppError: 409 where it does not fit the model; 500 where it is
  /// damaged, and the stream is in quarantine then.
  void restore(const StreamName& name, StreamSession& session, const StreamRecord& record);
  void release(const StreamName& name);
  void release_model(const std::string& model);

  std::size_t size() const;
  std::size_t size(const std::string& model) const;

 private:
  std::string damage_message(const StreamName& name, const StreamSession& session, const std::string& reason) const;
  std::optional<std::int64_t> last_good_snapshot(const StreamName& name, const StreamSession& session) const;

  const Store& store_;
  const OnDamage on_damage_;
  mutable std::mutex mutex_;
  std::unordered_map<StreamName, std::string, StreamNameHash> streams_;
};

}  // namespace stad::server
