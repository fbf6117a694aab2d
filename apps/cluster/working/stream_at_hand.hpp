#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/serving/learner.hpp"
#include "server/serving/stream_table.hpp"
#include "cluster/working/state_store.hpp"

namespace stad::cluster {

/// A stream of a partition that is in memory.
struct StreamAtHand {
  StreamName name;
  server::Learner learner;
  KeptState kept;              ///< as the servers have it, but for the bytes, which are made when they are needed
  std::uint64_t sequence = 0;  ///< of the last message it has learned from, or that it refused
  std::uint64_t round = 0;     ///< in which its last result was sent
  bool is_dirty = false;       ///< has taken a message since it was kept

  std::int64_t bytes() const { return learner.model().stream_bytes(); }
};

/// What was kept becomes what the stream goes on with. Throws Damaged where it cannot be read, Refusal where it belongs
/// to another head, method or options.
void continue_from(StreamAtHand& stream, KeptState kept);

/// The streams of one partition that are in memory, the most recently used first. Used by one thread.
class StreamsAtHand {
 public:
  StreamAtHand* find(const StreamName& name);
  StreamAtHand& add(StreamAtHand stream);
  void clear();

  template <typename Each>
  void for_each(Each&& each) {
    for (auto& stream : order_) each(stream);
  }
  /// Lets go of those least recently used that the servers have whole, until the rest fits. Each is shown before.
  void make_room(std::int64_t bytes, const std::function<void(const StreamAtHand&)>& leaves);

  std::int64_t bytes() const { return bytes_; }
  std::size_t size() const { return order_.size(); }

 private:
  using Order = std::list<StreamAtHand>;

  void erase(Order::iterator stream);

  Order order_;
  std::unordered_map<StreamName, Order::iterator, server::StreamNameHash> places_;
  std::int64_t bytes_ = 0;
};

}  // namespace stad::cluster
