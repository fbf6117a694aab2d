#include "cluster/working/stream_shelf.hpp"

#include <utility>

#include "server/refusal.hpp"
#include "server/telemetry/log.hpp"
#include "cluster/working/answer.hpp"
#include "cluster/working/replay.hpp"

namespace stad::cluster {
namespace {

using server::log;
using server::LogLevel;

constexpr std::size_t kSliceBytes = 16 << 20;  // of states that are on their way to the servers at once

}  // namespace

/// States that are kept together.
struct StreamShelf::Slice {
  std::vector<StateToKeep> states;
  std::list<KeptState> snapshots;
  std::vector<StreamAtHand*> streams;
  std::size_t bytes = 0;
};

StreamShelf::StreamShelf(const Workplace& workplace, const Claim& claim)
    : place_(workplace), claim_(claim), states_(workplace.connection, workplace.settings.state_limit) {}

StreamAtHand& StreamShelf::open(const StreamName& name, std::uint64_t position) {
  if (auto* stream = streams_.find(name)) return *stream;
  StreamAtHand stream = fresh(name);
  try {
    if (auto kept = load(name)) continue_from(stream, *std::move(kept));
  } catch (const Damaged& damage) {
    stream = rebuild(name, position, damage.what());
  }
  return add(std::move(stream));
}

StreamAtHand StreamShelf::anew(const StreamName& name) const {
  StreamAtHand stream = fresh(name);
  stream.kept = states_.facts(state_key(name));
  stream.sequence = stream.kept.sequence;
  return stream;
}

StreamAtHand& StreamShelf::add(StreamAtHand stream) {
  if (stream.kept.epoch > claim_.epoch()) throw Lapsed("a later owner has written " + state_key(stream.name));
  StreamAtHand& added = streams_.add(std::move(stream));
  ++place_.figures.resident_streams;
  place_.figures.resident_bytes += added.bytes();
  if (added.is_dirty) count_dirty(added.bytes());
  return added;
}

StreamAtHand StreamShelf::fresh(const StreamName& name) const {
  return {.name = name, .learner = server::Learner(place_.models.find(name.model), 0), .kept = {}};
}

/// From the disk of this machine where it is there as we left it, else from the servers.
std::optional<KeptState> StreamShelf::load(const StreamName& name) const {
  if (const auto parked = parked_.find(name); parked != parked_.end()) {
    if (auto state = place_.cache.find(name, parked->second.revision)) {
      KeptState kept = parked->second;
      kept.state = *std::move(state);
      return kept;
    }
  }
  return states_.load(state_key(name));
}

/// From its last snapshot and the log, up to what was committed; the rest is delivered anyway.
StreamAtHand StreamShelf::rebuild(const StreamName& name, std::uint64_t position, const std::string& why) const {
  log(LogLevel::kWarning, "a state is rebuilt from the log",
      {{"model", name.model}, {"stream", name.stream}, {"reason", why}});
  StreamAtHand stream = fresh(name);
  try {
    if (auto snapshot = states_.load(snapshot_key(name))) continue_from(stream, *std::move(snapshot));
  } catch (const Damaged& damage) {
    log(LogLevel::kWarning, "a snapshot cannot be read", {{"reason", damage.what()}});
  }
  replay_log(stream, position);
  const KeptState damaged = states_.facts(state_key(name));
  stream.kept.revision = damaged.revision;
  stream.kept.epoch = damaged.epoch;
  stream.kept.is_chunked = damaged.is_chunked;
  stream.is_dirty = true;
  ++place_.figures.rebuilt;
  return stream;
}

void StreamShelf::replay_log(StreamAtHand& stream, std::uint64_t position) const {
  const std::size_t most = place_.connection.most_payload();
  replay(place_.connection, claim_.partition(), stream.name, stream.sequence + 1, position,
         [&](const Delivery& delivery) {
           try {
             answer(stream.name, delivery, stream.learner, most);
           } catch (const server::Refusal&) {  // as it was the first time
           }
           stream.sequence = delivery.sequence;
         });
}

void StreamShelf::mark(StreamAtHand& stream, std::uint64_t sequence) {
  stream.sequence = sequence;
  if (!std::exchange(stream.is_dirty, true)) count_dirty(stream.bytes());
}

/// Half of the memory: what is made of states on their way to the servers needs room as well.
bool StreamShelf::is_laden() const {
  return dirty_bytes_ > 0 && place_.figures.dirty_bytes > place_.settings.memory / 2;
}

void StreamShelf::keep(Outbox& outbox) {
  Slice slice;
  streams_.for_each([&](StreamAtHand& stream) {
    if (!stream.is_dirty) return;
    put(stream, slice);
    if (slice.bytes >= kSliceBytes) keep(outbox, slice);
  });
  keep(outbox, slice);
}

void StreamShelf::put(StreamAtHand& stream, Slice& slice) const {
  KeptState& kept = stream.kept;
  const std::int64_t batches_before = std::exchange(kept.batches, stream.learner.batches());
  kept.rows = stream.learner.rows();
  kept.sequence = stream.sequence;
  kept.epoch = claim_.epoch();
  if (kept.batches > 0) kept.state = stream.learner.record(0).state;
  slice.bytes += kept.state.size();
  slice.streams.push_back(&stream);
  slice.states.push_back({state_key(stream.name), &kept});
  const std::int64_t every = place_.settings.snapshot_every;
  if (kept.batches / every == batches_before / every) return;
  slice.snapshots.push_back(kept);
  slice.states.push_back({snapshot_key(stream.name), &slice.snapshots.back(), false});
}

void StreamShelf::keep(Outbox& outbox, Slice& slice) {
  claim_.check();
  states_.save(outbox, slice.states);
  for (StreamAtHand* stream : slice.streams) {
    stream->is_dirty = false;
    stream->kept.drop_bytes();
    count_dirty(-stream->bytes());
  }
  slice = {};
}

void StreamShelf::make_room() {
  const std::int64_t total = place_.figures.resident_bytes;
  const std::int64_t most = place_.settings.memory;
  if (total <= most) return;
  count_streams(-1);
  const double share = static_cast<double>(most) / static_cast<double>(total);
  const auto bytes = static_cast<std::int64_t>(share * static_cast<double>(streams_.bytes()));
  streams_.make_room(bytes, [this](const StreamAtHand& stream) { park(stream); });
  count_streams(1);
}

void StreamShelf::park(const StreamAtHand& stream) {
  if (!place_.cache.is_open()) return;
  if (stream.learner.batches() == 0) {  // less to read from the servers than to keep here
    if (parked_.erase(stream.name) > 0) place_.cache.remove(stream.name);
    return;
  }
  place_.cache.put(stream.name, stream.kept.revision, stream.learner.record(0).state);
  parked_[stream.name] = stream.kept;
}

void StreamShelf::clear() {
  count_streams(-1);
  count_dirty(-dirty_bytes_);
  streams_.clear();
  for (const auto& [name, kept] : parked_) place_.cache.remove(name);
  parked_.clear();
}

void StreamShelf::count_dirty(std::int64_t bytes) {
  dirty_bytes_ += bytes;
  place_.figures.dirty_bytes += bytes;
}

void StreamShelf::count_streams(int sign) {
  place_.figures.resident_streams += sign * static_cast<std::int64_t>(streams_.size());
  place_.figures.resident_bytes += sign * streams_.bytes();
}

}  // namespace stad::cluster
