#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "serving/history.hpp"
#include "serving/store/records.hpp"

namespace stad::server {

using namespace serving;

/// Receives the points and events of a stream. Called from any thread; must not block.
class Subscriber {
 public:
  virtual ~Subscriber() = default;
  virtual void on_point(const HistoryPoint& point) = 0;
  virtual void on_event(const Event& event) = 0;
};

/// The subscribers of each stream, held by weak pointers. Thread-safe.
class Subscribers {
 public:
  void add(const StreamName& name, const std::shared_ptr<Subscriber>& subscriber);
  void publish(const StreamName& name, const HistoryPoint& point);
  /// An event of a model is sent to the subscribers of all its streams.
  void publish(const Event& event, bool of_whole_model);
  /// Streams with subscribers. Removes expired ones; called every second.
  std::vector<StreamName> streams();

 private:
  std::vector<std::shared_ptr<Subscriber>> of(const StreamName& name) const;

  mutable std::mutex mutex_;
  std::unordered_map<StreamName, std::vector<std::weak_ptr<Subscriber>>, StreamNameHash> subscribers_;
};

}  // namespace stad::server
