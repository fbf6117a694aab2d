#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cluster/nats/publisher.hpp"
#include "cluster/ownership/lease.hpp"
#include "cluster/worker/state_store.hpp"
#include "cluster/worker/worker_context.hpp"
#include "serving/lru_map.hpp"
#include "serving/stream_session.hpp"

namespace stad::cluster {

/// A stream of a partition that is in memory.
struct CachedStream {
  StreamName name;
  serving::StreamSession session;
  StoredState stored;          ///< as on the servers, without the bytes, which are serialized for a commit
  std::uint64_t sequence = 0;  ///< of the last message that was processed or rejected
  std::uint64_t round = 0;     ///< in which its last result was sent, see MessageProcessor
  bool is_dirty = false;       ///< has processed a message since the last commit

  std::int64_t bytes() const { return session.model().stream_bytes(); }
};

/// The streams of a partition in memory, ordered by last use: loads and rebuilds their states, commits changes, and
/// evicts streams beyond the memory of the worker. Used by one thread.
class StreamCache {
 public:
  StreamCache(const WorkerContext& context, const Claim& claim);
  ~StreamCache() { clear(); }
  StreamCache(const StreamCache&) = delete;
  StreamCache& operator=(const StreamCache&) = delete;

  /// Loads the stream if it is not in memory. Throws AppError (409) where its state belongs to another model or cannot
  /// be rebuilt, ClaimExpired where a later owner has written it.
  /// @param position all messages up to this sequence are committed; a state is rebuilt up to it
  CachedStream& open(const StreamName& name, std::uint64_t position);
  /// A stream in its initial state that replaces a stored state which cannot be opened; to be passed to add().
  CachedStream make_replacement(const StreamName& name) const;
  CachedStream& add(CachedStream stream);

  /// Records that the stream has processed the message with this sequence.
  void mark_dirty(CachedStream& stream, std::uint64_t sequence);
  /// Whether the uncommitted streams of the worker take so much memory that a commit is needed.
  bool exceeds_dirty_limit() const;
  /// Writes all dirty streams to the servers. Throws WriteConflict where another worker has written; some of the states
  /// may have been written then.
  void save(AsyncPublisher& publisher);

  /// Evicts committed streams: this partition's share of the excess of the worker.
  void evict();
  void clear();

 private:
  struct Slice;
  using Streams = serving::LruMap<StreamName, CachedStream, serving::StreamNameHash>;

  CachedStream make_empty(const StreamName& name) const;
  std::optional<StoredState> load(const StreamName& name) const;
  CachedStream rebuild(const StreamName& name, std::uint64_t position, const std::string& reason) const;
  void replay_log(CachedStream& stream, std::uint64_t position) const;
  void add_to_slice(CachedStream& stream, Slice& slice) const;
  void save_slice(AsyncPublisher& publisher, Slice& slice);
  void cache_locally(const CachedStream& stream);
  void count_dirty(std::int64_t bytes);
  void count_streams(int sign);

  const WorkerContext& context_;
  const Claim& claim_;
  StateStore states_;
  Streams streams_;
  std::int64_t bytes_ = 0;  ///< of streams_
  /// Metadata of the states in the local cache.
  std::unordered_map<StreamName, StoredState, serving::StreamNameHash> cached_locally_;
  std::int64_t dirty_bytes_ = 0;  ///< of dirty streams
};

}  // namespace stad::cluster
