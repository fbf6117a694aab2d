#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "server/service/subscribers.hpp"

namespace stad::server {

/// Buffers the server-sent events of one connection. Thread-safe.
class EventFeed : public Subscriber {
 public:
  void on_point(const HistoryPoint& point) override;
  void on_event(const Event& event) override;
  void add(std::string_view event, const std::string& data);

  /// Returns and clears the buffer.
  std::string take();
  /// Sets the function that is called, from any thread, when the buffer is not empty; it must not block. Empty: none.
  void on_data(std::function<void()> notify);
  /// Whether the client has not read for so long that the connection should be closed.
  bool is_overfull() const;

 private:
  mutable std::mutex mutex_;
  std::string buffer_;
  bool is_overfull_ = false;
  std::function<void()> notify_;
};

}  // namespace stad::server
