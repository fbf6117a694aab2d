#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "server/serving/watchers.hpp"

namespace stad::server {

/// Events for one page that looks on, as server-sent events. The page's connection takes what has gathered.
class EventFeed : public Watcher {
 public:
  void see_point(const Point& point) override;
  void see_event(const Event& event) override;
  void add(std::string_view event, const std::string& data);

  /// What has gathered since the last call.
  std::string take();
  /// Called, from any thread, when there is something to take; must not block.
  void on_news(std::function<void()> wake);
  /// Whether the page has not read for so long that it should go.
  bool is_overfull() const;

 private:
  mutable std::mutex mutex_;
  std::string gathered_;
  bool is_overfull_ = false;
  std::function<void()> wake_;
};

}  // namespace stad::server
