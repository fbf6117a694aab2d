#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cluster/nats/outbox.hpp"
#include "cluster/owning/lease.hpp"
#include "cluster/working/state_store.hpp"
#include "cluster/working/stream_at_hand.hpp"
#include "cluster/working/workplace.hpp"

namespace stad::cluster {

/// The streams that a partition has at hand: opens them with what was kept, rebuilds what cannot be read, keeps what
/// was learned and lets go of what memory has no room for. Used by one thread.
class StreamShelf {
 public:
  StreamShelf(const Workplace& workplace, const Claim& claim);
  ~StreamShelf() { clear(); }
  StreamShelf(const StreamShelf&) = delete;
  StreamShelf& operator=(const StreamShelf&) = delete;

  /// Throws Refusal: 409 where what was kept belongs to another model or cannot be rebuilt. Throws Lapsed where a later
  /// owner has written.
  /// @param position all messages up to this sequence are committed: how far a state is rebuilt
  StreamAtHand& open(const StreamName& name, std::uint64_t position);
  /// One that has learned nothing, to be kept in the place of what cannot be opened. Not on the shelf yet.
  StreamAtHand anew(const StreamName& name) const;
  StreamAtHand& add(StreamAtHand stream);

  /// It has taken the message with this sequence, and is to be kept.
  void mark(StreamAtHand& stream, std::uint64_t sequence);
  /// Whether so much of the worker's memory waits to be kept that it should be.
  bool is_laden() const;
  /// Has the servers keep all that was marked. Throws Conflict where another wrote, and then some may have been kept.
  void keep(Outbox& outbox);

  /// Lets go of streams that the servers have whole: this shelf's part of what is too much for the worker.
  void make_room();
  void clear();

 private:
  struct Slice;

  StreamAtHand fresh(const StreamName& name) const;
  std::optional<KeptState> load(const StreamName& name) const;
  StreamAtHand rebuild(const StreamName& name, std::uint64_t position, const std::string& why) const;
  void replay_log(StreamAtHand& stream, std::uint64_t position) const;
  void put(StreamAtHand& stream, Slice& slice) const;
  void keep(Outbox& outbox, Slice& slice);
  void park(const StreamAtHand& stream);
  void count_dirty(std::int64_t bytes);
  void count_streams(int sign);

  const Workplace& place_;
  const Claim& claim_;
  StateStore states_;
  StreamsAtHand streams_;
  std::unordered_map<StreamName, KeptState, server::StreamNameHash> parked_;  ///< that have bytes in the cache
  std::int64_t dirty_bytes_ = 0;                                              ///< of streams that are marked
};

}  // namespace stad::cluster
