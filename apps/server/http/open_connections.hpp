#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace stad::server {

/// The connections that a server must close before it ends. Thread-safe.
class OpenConnections {
 public:
  /// @param close_if_idle called from any thread; must not block
  void add(const void* connection, std::function<void()> close_if_idle) {
    const std::scoped_lock lock(mutex_);
    connections_.emplace(connection, std::move(close_if_idle));
  }
  void remove(const void* connection) {
    const std::scoped_lock lock(mutex_);
    connections_.erase(connection);
  }
  void close_idle() const {
    const std::scoped_lock lock(mutex_);
    for (const auto& [connection, close_if_idle] : connections_) close_if_idle();
  }
  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return connections_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const void*, std::function<void()>> connections_;
};

}  // namespace stad::server
