#include "server/service/subscribers.hpp"

#include <iterator>

namespace stad::server {

void Subscribers::add(const StreamName& name, const std::shared_ptr<Subscriber>& subscriber) {
  const std::scoped_lock lock(mutex_);
  subscribers_[name].push_back(subscriber);
}

void Subscribers::publish(const StreamName& name, const HistoryPoint& point) {
  for (const auto& subscriber : of(name)) subscriber->on_point(point);
}

void Subscribers::publish(const Event& event, bool of_whole_model) {
  if (!of_whole_model) {
    for (const auto& subscriber : of(event.name)) subscriber->on_event(event);
    return;
  }
  for (const auto& name : streams())
    if (name.model == event.name.model)
      for (const auto& subscriber : of(name)) subscriber->on_event(event);
}

std::vector<StreamName> Subscribers::streams() {
  const std::scoped_lock lock(mutex_);
  std::vector<StreamName> names;
  for (auto place = subscribers_.begin(); place != subscribers_.end();) {
    auto& [name, subscribers] = *place;
    std::erase_if(subscribers, [](const auto& subscriber) { return subscriber.expired(); });
    if (!subscribers.empty()) names.push_back(name);
    place = subscribers.empty() ? subscribers_.erase(place) : std::next(place);
  }
  return names;
}

std::vector<std::shared_ptr<Subscriber>> Subscribers::of(const StreamName& name) const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::shared_ptr<Subscriber>> present;
  const auto found = subscribers_.find(name);
  if (found == subscribers_.end()) return present;
  for (const auto& subscriber : found->second)
    if (auto alive = subscriber.lock()) present.push_back(std::move(alive));
  return present;
}

}  // namespace stad::server
