#include "server/http/event_feed.hpp"

#include <utility>

#include <fmt/format.h>

#include "server/http/json.hpp"

namespace stad::server {
namespace {

constexpr std::size_t kMostGathered = 1 << 20;  // bytes, minutes of points

}  // namespace

void EventFeed::see_point(const Point& point) { add("point", text_of(json_of(point))); }
void EventFeed::see_event(const Event& event) {
  add(event.kind == "delete" ? "gone" : "event", text_of(json_of(event)));
}

void EventFeed::add(std::string_view event, const std::string& data) {
  const std::scoped_lock lock(mutex_);  // also while it wakes: whoever takes the waker away may go at once
  if (gathered_.size() > kMostGathered)
    is_overfull_ = true;
  else
    gathered_ += fmt::format("event: {}\ndata: {}\n\n", event, data);
  if (wake_) wake_();
}

std::string EventFeed::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(gathered_, {});
}

void EventFeed::on_news(std::function<void()> wake) {
  const std::scoped_lock lock(mutex_);
  wake_ = std::move(wake);
}

bool EventFeed::is_overfull() const {
  const std::scoped_lock lock(mutex_);
  return is_overfull_;
}

}  // namespace stad::server
