#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "server/serving/history.hpp"
#include "server/serving/stream_table.hpp"
#include "server/store/store.hpp"

namespace stad::server {

/// Someone who looks at a stream. Called from any thread; must not block.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void see_point(const Point& point) = 0;
  virtual void see_event(const Event& event) = 0;
};

/// Who looks at which stream. A watcher that has gone is forgotten.
class Watchers {
 public:
  void add(const StreamName& name, const std::shared_ptr<Watcher>& watcher);
  void tell(const StreamName& name, const Point& point);
  /// An event of a whole model is told to all who look at one of its streams.
  void tell(const Event& event, bool of_whole_model);
  /// Asked every second; forgets those who have gone.
  std::vector<StreamName> watched();

 private:
  std::vector<std::shared_ptr<Watcher>> of(const StreamName& name) const;

  mutable std::mutex mutex_;
  std::unordered_map<StreamName, std::vector<std::weak_ptr<Watcher>>, StreamNameHash> watchers_;
};

}  // namespace stad::server
