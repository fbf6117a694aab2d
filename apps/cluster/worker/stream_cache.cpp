#include "cluster/worker/stream_cache.hpp"

#include <functional>
#include <utility>

#include <fmt/format.h>

#include "cluster/layout/layout.hpp"
#include "cluster/nats/pull_consumer.hpp"
#include "cluster/worker/answer.hpp"
#include "common/error.hpp"
#include "serving/log.hpp"

namespace stad::cluster {
namespace {

constexpr std::size_t kSliceBytes = 16 << 20;  // of states in flight to the servers
constexpr int kReplayFetch = 64;               // messages
constexpr auto kReplayWait = std::chrono::milliseconds(1000);

/// Continues the stream from a stored state. Throws DamagedState where it cannot be read, AppError (409) where it
/// belongs to another classifier, method or options.
void restore(CachedStream& stream, StoredState stored) {
  try {
    if (!stored.state.empty())
      stream.session.restore({.state = stored.state, .batches = stored.batches, .rows = stored.rows, .answers = {}});
  } catch (const AppError& failure) {
    if (http_status(failure) == 409)  // valid, but of another model
      reject(409, failure.error.message + "; a batch with sequence_start resets the stream");
    throw DamagedState(failure.error.message);
  }
  stream.sequence = stored.sequence;
  stream.stored = std::move(stored);
  stream.stored.drop_bytes();
}

/// Calls `each` for the messages of one stream in the log, in order, from sequence `first` to `last`. Throws AppError
/// (409) where the log no longer holds the first, NatsError where the servers do not deliver all of them.
void replay(const NatsConnection& connection, std::int64_t partition, const StreamName& name, std::uint64_t first,
            std::uint64_t last, const std::function<void(const Delivery&)>& each) {
  if (first > last) return;
  if (const std::uint64_t oldest = stream_info(connection, kInputStream).first; oldest > first)
    reject(409,
           fmt::format("stream '{}' of model {} cannot be rebuilt: it needs the log from {} on, which begins at {}; "
                       "a batch with sequence_start resets the stream",
                       name.stream, name.model, first, oldest));
  PullConsumer consumer(connection, {.stream = kInputStream,
                                     .name = "",
                                     .filter = partition_subject(partition, name),
                                     .first = first,
                                     .is_acknowledged = false});
  while (true) {
    const auto deliveries = consumer.fetch(kReplayFetch, kReplayWait);
    if (deliveries.empty()) {
      // Slow servers must not be mistaken for the end of the log, or the rebuilt state would be incomplete.
      if (consumer.is_at_end()) return;
      throw NatsError(fmt::format("the log of stream '{}' of model {} was not delivered", name.stream, name.model));
    }
    for (const auto& delivery : deliveries) {
      if (delivery.sequence > last) return;
      each(delivery);
    }
    if (consumer.waiting() == 0) return;
  }
}

}  // namespace

/// States that are written together.
struct StreamCache::Slice {
  std::vector<StateWrite> states;
  std::list<StoredState> snapshots;
  std::vector<CachedStream*> streams;
  std::size_t bytes = 0;
};

StreamCache::StreamCache(const WorkerContext& context, const Claim& claim)
    : context_(context), claim_(claim), states_(context.connection, context.settings.state_limit) {}

CachedStream& StreamCache::open(const StreamName& name, std::uint64_t position) {
  if (auto* stream = streams_.find(name)) return *stream;
  CachedStream stream = make_empty(name);
  try {
    if (auto stored = load(name)) restore(stream, *std::move(stored));
  } catch (const DamagedState& damage) {
    stream = rebuild(name, position, damage.what());
  }
  return add(std::move(stream));
}

CachedStream StreamCache::make_replacement(const StreamName& name) const {
  CachedStream stream = make_empty(name);
  stream.stored = states_.metadata(state_key(name));
  stream.sequence = stream.stored.sequence;
  return stream;
}

CachedStream& StreamCache::add(CachedStream stream) {
  if (stream.stored.epoch > claim_.epoch()) throw ClaimExpired("a later owner has written " + state_key(stream.name));
  const StreamName name = stream.name;
  CachedStream& added = streams_.insert(name, std::move(stream));
  bytes_ += added.bytes();
  ++context_.counters.resident_streams;
  context_.counters.resident_bytes += added.bytes();
  if (added.is_dirty) count_dirty(added.bytes());
  return added;
}

CachedStream StreamCache::make_empty(const StreamName& name) const {
  return {.name = name, .session = serving::StreamSession(context_.models.find(name.model), 0), .stored = {}};
}

/// From the local cache where it holds the last revision of this worker, else from the servers.
std::optional<StoredState> StreamCache::load(const StreamName& name) const {
  if (const auto cached = cached_locally_.find(name); cached != cached_locally_.end()) {
    if (auto state = context_.cache.find(name, cached->second.revision)) {
      StoredState stored = cached->second;
      stored.state = *std::move(state);
      return stored;
    }
  }
  return states_.load(state_key(name));
}

/// From its last snapshot and the log, up to the committed position; later messages are delivered anyway.
CachedStream StreamCache::rebuild(const StreamName& name, std::uint64_t position, const std::string& reason) const {
  serving::log(serving::LogLevel::kWarning, "a state is rebuilt from the log",
               {{"model", name.model}, {"stream", name.stream}, {"reason", reason}});
  CachedStream stream = make_empty(name);
  try {
    if (auto snapshot = states_.load(snapshot_key(name))) restore(stream, *std::move(snapshot));
  } catch (const DamagedState& damage) {
    serving::log(serving::LogLevel::kWarning, "a snapshot cannot be read", {{"reason", damage.what()}});
  }
  replay_log(stream, position);
  const StoredState damaged = states_.metadata(state_key(name));
  stream.stored.revision = damaged.revision;
  stream.stored.epoch = damaged.epoch;
  stream.stored.is_chunked = damaged.is_chunked;
  stream.is_dirty = true;
  ++context_.counters.rebuilt;
  return stream;
}

void StreamCache::replay_log(CachedStream& stream, std::uint64_t position) const {
  const std::size_t max_bytes = context_.connection.max_data();
  replay(context_.connection, claim_.partition(), stream.name, stream.sequence + 1, position,
         [&](const Delivery& delivery) {
           try {
             answer(stream.name, delivery, stream.session, max_bytes);
           } catch (const AppError&) {  // rejected again
           }
           stream.sequence = delivery.sequence;
         });
}

void StreamCache::mark_dirty(CachedStream& stream, std::uint64_t sequence) {
  stream.sequence = sequence;
  if (!std::exchange(stream.is_dirty, true)) count_dirty(stream.bytes());
}

/// Half of the memory, since serialized states in flight need memory as well.
bool StreamCache::exceeds_dirty_limit() const {
  return dirty_bytes_ > 0 && context_.counters.dirty_bytes > context_.settings.memory / 2;
}

void StreamCache::save(AsyncPublisher& publisher) {
  Slice slice;
  for (auto& [name, stream] : streams_) {
    if (!stream.is_dirty) continue;
    add_to_slice(stream, slice);
    if (slice.bytes >= kSliceBytes) save_slice(publisher, slice);
  }
  save_slice(publisher, slice);
}

void StreamCache::add_to_slice(CachedStream& stream, Slice& slice) const {
  StoredState& stored = stream.stored;
  const std::int64_t batches_before = std::exchange(stored.batches, stream.session.batches());
  stored.rows = stream.session.rows();
  stored.sequence = stream.sequence;
  stored.epoch = claim_.epoch();
  if (stored.batches > 0) stored.state = stream.session.record(0).state;
  slice.bytes += stored.state.size();
  slice.streams.push_back(&stream);
  slice.states.push_back({state_key(stream.name), &stored});
  const std::int64_t every = context_.settings.snapshot_every;
  if (stored.batches / every == batches_before / every) return;
  slice.snapshots.push_back(stored);
  slice.states.push_back({snapshot_key(stream.name), &slice.snapshots.back(), false});
}

void StreamCache::save_slice(AsyncPublisher& publisher, Slice& slice) {
  claim_.check();
  states_.save(publisher, slice.states);
  for (CachedStream* stream : slice.streams) {
    stream->is_dirty = false;
    stream->stored.drop_bytes();
    count_dirty(-stream->bytes());
  }
  slice = {};
}

void StreamCache::evict() {
  const std::int64_t total = context_.counters.resident_bytes;
  const std::int64_t limit = context_.settings.memory;
  if (total <= limit) return;
  count_streams(-1);
  const double share = static_cast<double>(limit) / static_cast<double>(total);
  const auto target = static_cast<std::int64_t>(share * static_cast<double>(bytes_));
  for (auto entry = streams_.end(); bytes_ > target && entry != streams_.begin();) {
    --entry;
    if (entry->second.is_dirty) continue;
    cache_locally(entry->second);
    bytes_ -= entry->second.bytes();
    entry = streams_.erase(entry);
  }
  count_streams(1);
}

void StreamCache::cache_locally(const CachedStream& stream) {
  if (!context_.cache.is_open()) return;
  if (stream.session.batches() == 0) {  // the servers' entry is smaller than a cached one
    if (cached_locally_.erase(stream.name) > 0) context_.cache.remove(stream.name);
    return;
  }
  context_.cache.put(stream.name, stream.stored.revision, stream.session.record(0).state);
  cached_locally_[stream.name] = stream.stored;
}

void StreamCache::clear() {
  count_streams(-1);
  count_dirty(-dirty_bytes_);
  streams_.clear();
  bytes_ = 0;
  for (const auto& [name, stored] : cached_locally_) context_.cache.remove(name);
  cached_locally_.clear();
}

void StreamCache::count_dirty(std::int64_t bytes) {
  dirty_bytes_ += bytes;
  context_.counters.dirty_bytes += bytes;
}

void StreamCache::count_streams(int sign) {
  context_.counters.resident_streams += sign * static_cast<std::int64_t>(streams_.size());
  context_.counters.resident_bytes += sign * bytes_;
}

}  // namespace stad::cluster
