#include "server/serving/watchers.hpp"

#include <iterator>

namespace stad::server {

void Watchers::add(const StreamName& name, const std::shared_ptr<Watcher>& watcher) {
  const std::scoped_lock lock(mutex_);
  watchers_[name].push_back(watcher);
}

void Watchers::tell(const StreamName& name, const Point& point) {
  for (const auto& watcher : of(name)) watcher->see_point(point);
}

void Watchers::tell(const Event& event, bool of_whole_model) {
  if (!of_whole_model) {
    for (const auto& watcher : of(event.name)) watcher->see_event(event);
    return;
  }
  for (const auto& name : watched())
    if (name.model == event.name.model)
      for (const auto& watcher : of(name)) watcher->see_event(event);
}

std::vector<StreamName> Watchers::watched() {
  const std::scoped_lock lock(mutex_);
  std::vector<StreamName> names;
  for (auto place = watchers_.begin(); place != watchers_.end();) {
    auto& [name, watchers] = *place;
    std::erase_if(watchers, [](const auto& watcher) { return watcher.expired(); });
    if (!watchers.empty()) names.push_back(name);
    place = watchers.empty() ? watchers_.erase(place) : std::next(place);
  }
  return names;
}

std::vector<std::shared_ptr<Watcher>> Watchers::of(const StreamName& name) const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::shared_ptr<Watcher>> present;
  const auto found = watchers_.find(name);
  if (found == watchers_.end()) return present;
  for (const auto& watcher : found->second)
    if (auto alive = watcher.lock()) present.push_back(std::move(alive));
  return present;
}

}  // namespace stad::server
