#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/serving/stream.hpp"

namespace stad::server {

struct StreamNameHash {
  std::size_t operator()(const StreamName& name) const {
    return std::hash<std::string>()(name.stream) * 31 + std::hash<std::string>()(name.model);
  }
};

/// The streams in memory, most recently used first. An errand is pushed while the table is held, so that a stream that
/// leaves it has none: two streams of one name never live at once.
class StreamTable {
 public:
  struct Pushed {
    StreamPointer stream;
    bool has_turn = false;
  };
  /// Gives the errand to the stream, which is made if it is not there.
  Pushed push(const StreamName& name, const ModelPointer& model, Errand errand);
  /// Gives the errand to the stream if it is in memory; none otherwise.
  Pushed push_if_present(const StreamName& name, Errand errand);

  /// Takes out a stream that holds nothing and waits for nothing.
  void remove_if_empty(const StreamPointer& stream);

  /// The least recently used first.
  std::vector<StreamPointer> oldest(std::size_t count) const;
  std::vector<StreamPointer> of_model(const std::string& model) const;
  std::size_t size() const;
  std::size_t size(const std::string& model) const;

 private:
  using Order = std::list<StreamPointer>;

  mutable std::mutex mutex_;
  Order order_;  ///< most recently used first
  std::unordered_map<StreamName, Order::iterator, StreamNameHash> places_;
  std::unordered_map<std::string, std::size_t> counts_;  ///< by model
};

}  // namespace stad::server
