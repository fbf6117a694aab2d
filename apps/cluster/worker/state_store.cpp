#include "cluster/worker/state_store.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "common/error.hpp"

namespace stad::cluster {
namespace {

constexpr const char* kBatches = "Stad-Batches";
constexpr const char* kRows = "Stad-Rows";
constexpr const char* kEpoch = "Stad-Epoch";
constexpr const char* kChunks = "Stad-Chunks";  ///< how many; none: the state is the entry itself
constexpr const char* kBytes = "Stad-Bytes";    ///< of all chunks

/// Unique for every write, so that chunks of two writers never mix.
std::string chunk_key(const std::string& key, std::uint64_t epoch, std::uint64_t sequence, std::size_t i) {
  return fmt::format("chunk.{}.{}-{}.{}", key, epoch, sequence, i);
}

std::uint64_t need_number(const std::string& key, const Delivery& entry, const char* header) {
  const auto number = entry.number(header);
  if (!number) throw DamagedState(fmt::format("state {} has no header {}", key, header));
  return *number;
}

}  // namespace

StateStore::StateStore(const NatsConnection& connection, std::size_t limit) : bucket_(connection, kStatesBucket) {
  const std::size_t max = connection.max_data();
  limit_ = limit == 0 ? max : std::min(limit, max);
}

std::optional<StoredState> StateStore::load(const std::string& key) const {
  const auto entry = bucket_.read_message(key);
  if (!entry) return std::nullopt;
  StoredState stored;
  stored.sequence = need_number(key, *entry, kSequence);
  stored.batches = static_cast<std::int64_t>(need_number(key, *entry, kBatches));
  stored.rows = static_cast<std::int64_t>(need_number(key, *entry, kRows));
  stored.epoch = need_number(key, *entry, kEpoch);
  stored.revision = entry->sequence;
  stored.is_chunked = entry->header(kChunks).has_value();
  stored.state = stored.is_chunked ? load_chunks(key, *entry) : std::string(entry->payload());
  return stored;
}

StoredState StateStore::metadata(const std::string& key) const {
  StoredState stored;
  const auto entry = bucket_.read_message(key);
  if (!entry) return stored;
  stored.sequence = entry->number(kSequence).value_or(0);
  stored.batches = static_cast<std::int64_t>(entry->number(kBatches).value_or(0));
  stored.epoch = entry->number(kEpoch).value_or(0);
  stored.revision = entry->sequence;
  stored.is_chunked = entry->header(kChunks).has_value();
  return stored;
}

std::string StateStore::load_chunks(const std::string& key, const Delivery& entry) const {
  const std::uint64_t chunks = need_number(key, entry, kChunks);
  const std::uint64_t epoch = need_number(key, entry, kEpoch);
  const std::uint64_t sequence = need_number(key, entry, kSequence);
  std::string state;
  for (std::size_t i = 0; i < chunks; ++i) {
    const auto chunk = bucket_.read_message(chunk_key(key, epoch, sequence, i));
    if (!chunk) throw DamagedState(fmt::format("state {} lacks chunk {} of {}", key, i + 1, chunks));
    state += chunk->payload();
  }
  if (const auto bytes = need_number(key, entry, kBytes); state.size() != bytes)
    throw DamagedState(fmt::format("the chunks of state {} have {} bytes, must have {}", key, state.size(), bytes));
  return state;
}

void StateStore::save_chunks(AsyncPublisher& publisher, const std::vector<StateWrite>& states) const {
  for (const auto& [key, stored, is_checked] : states)
    for (std::size_t i = 0; needs_chunks(*stored) && i < chunks_of(*stored); ++i)
      publisher.send({bucket_.subject(chunk_key(key, stored->epoch, stored->sequence, i)),
                      stored->state.substr(i * limit_, limit_),
                      {}});
}

NatsMessage StateStore::entry_of(const StateWrite& state) const {
  const StoredState& stored = *state.state;
  NatsMessage entry{bucket_.subject(state.key), {}, {}};
  entry.set(kSequence, stored.sequence);
  entry.set(kBatches, static_cast<std::uint64_t>(stored.batches));
  entry.set(kRows, static_cast<std::uint64_t>(stored.rows));
  entry.set(kEpoch, stored.epoch);
  if (needs_chunks(stored)) {
    entry.set(kChunks, chunks_of(stored));
    entry.set(kBytes, stored.state.size());
  } else {
    entry.payload = stored.state;
  }
  return entry;
}

void StateStore::save(AsyncPublisher& publisher, const std::vector<StateWrite>& states) const {
  save_chunks(publisher, states);
  const auto chunks = publisher.flush();
  for (const auto& state : states)
    publisher.send(entry_of(state),
                   {.last_of_subject = state.is_checked ? static_cast<std::int64_t>(state.state->revision) : -1});
  const auto entries = publisher.flush();
  auto chunk = chunks.begin();
  for (std::size_t i = 0; i < states.size(); ++i) {
    StoredState& stored = *states[i].state;
    stored.revision = entries[i].sequence;
    const bool is_chunked = needs_chunks(stored);
    // Removes the chunks of earlier writes, completed or not. Where this fails, the next write removes them.
    if (is_chunked || stored.is_chunked)
      bucket_.purge_before("chunk." + states[i].key + ".>", is_chunked ? chunk->sequence : stored.revision);
    if (is_chunked) chunk += static_cast<std::ptrdiff_t>(chunks_of(stored));
    stored.is_chunked = is_chunked;
  }
}

LocalStateCache::LocalStateCache(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) reject(503, fmt::format("cache: {} cannot be created: {}", folder, error.message()));
  const std::string path = (std::filesystem::path(folder) / "stad-worker.sqlite").string();
  for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(path + part, error);
  store_ = need(serving::Store::open(path));
}

void LocalStateCache::put(const StreamName& name, std::uint64_t revision, const std::string& state) {
  if (!store_) return;
  // The field `batches` holds the revision.
  store_->save(name, {.state = state, .batches = static_cast<std::int64_t>(revision), .answers = {}},
               [](const Status&) {});
}

void LocalStateCache::remove(const StreamName& name) {
  if (store_) store_->remove(name, [](const Status&) {});
}

std::optional<std::string> LocalStateCache::find(const StreamName& name, std::uint64_t revision) const {
  if (!store_) return std::nullopt;
  auto found = store_->load(name);
  if (!found || !*found || (*found)->batches != static_cast<std::int64_t>(revision)) return std::nullopt;
  return std::move((*found)->state);
}

}  // namespace stad::cluster
