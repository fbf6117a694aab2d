#include "server/http/event_feed.hpp"

#include <utility>

#include <fmt/format.h>

#include "server/http/json.hpp"

namespace stad::server {
namespace {

constexpr std::size_t kMaxBuffer = 1 << 20;  // bytes: minutes of points

}  // namespace

void EventFeed::on_point(const HistoryPoint& point) { add("point", text_of(json_of(point))); }
void EventFeed::on_event(const Event& event) {
  add(event.kind == "delete" ? "gone" : "event", text_of(json_of(event)));
}

void EventFeed::add(std::string_view event, const std::string& data) {
  const std::scoped_lock lock(mutex_);  // held during notify_(), whose objects may be destroyed once it was reset
  if (buffer_.size() > kMaxBuffer)
    is_overfull_ = true;
  else
    buffer_ += fmt::format("event: {}\ndata: {}\n\n", event, data);
  if (notify_) notify_();
}

std::string EventFeed::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(buffer_, {});
}

void EventFeed::on_data(std::function<void()> notify) {
  const std::scoped_lock lock(mutex_);
  notify_ = std::move(notify);
}

bool EventFeed::is_overfull() const {
  const std::scoped_lock lock(mutex_);
  return is_overfull_;
}

}  // namespace stad::server
