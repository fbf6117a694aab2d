#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "serving/store/records.hpp"

namespace stad::server {

using namespace serving;

/// Streams whose stored state cannot be read, with the error their requests get. They stay on disk unchanged until they
/// are rolled back, reset, restored or deleted. Held in memory: after a restart a stream is found again by its next
/// request. Thread-safe.
class Quarantine {
 public:
  void add(const StreamName& name, std::string message) {
    const std::scoped_lock lock(mutex_);
    streams_.insert_or_assign(name, std::move(message));
  }
  void release(const StreamName& name) {
    const std::scoped_lock lock(mutex_);
    streams_.erase(name);
  }
  void release_model(const std::string& model) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(streams_, [&](const auto& entry) { return entry.first.model == model; });
  }
  std::optional<std::string> find(const StreamName& name) const {
    const std::scoped_lock lock(mutex_);
    const auto found = streams_.find(name);
    return found == streams_.end() ? std::nullopt : std::optional(found->second);
  }
  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return streams_.size();
  }
  std::size_t size(const std::string& model) const {
    const std::scoped_lock lock(mutex_);
    return static_cast<std::size_t>(
        std::count_if(streams_.begin(), streams_.end(), [&](const auto& entry) { return entry.first.model == model; }));
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<StreamName, std::string, StreamNameHash> streams_;
};

}  // namespace stad::server
