#include "cluster/working/state_store.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace stad::cluster {
namespace {

constexpr const char* kBatches = "Stad-Batches";
constexpr const char* kRows = "Stad-Rows";
constexpr const char* kEpoch = "Stad-Epoch";
constexpr const char* kChunks = "Stad-Chunks";  ///< how many; none: the state is the entry itself
constexpr const char* kBytes = "Stad-Bytes";    ///< of all chunks

/// Different for every writing, so that two writers never mix theirs.
std::string chunk_key(const std::string& key, std::uint64_t epoch, std::uint64_t sequence, std::size_t i) {
  return fmt::format("chunk.{}.{}-{}.{}", key, epoch, sequence, i);
}

std::uint64_t need_number(const std::string& key, const Delivery& entry, const char* header) {
  const auto number = entry.number(header);
  if (!number) throw Damaged(fmt::format("state {} has no header {}", key, header));
  return *number;
}

}  // namespace

StateStore::StateStore(const Connection& connection, std::size_t limit) : bucket_(connection, kStatesBucket) {
  const std::size_t most = connection.most_payload();
  limit_ = limit == 0 ? most : std::min(limit, most);
}

std::optional<KeptState> StateStore::load(const std::string& key) const {
  const auto entry = bucket_.read_message(key);
  if (!entry) return std::nullopt;
  KeptState kept;
  kept.sequence = need_number(key, *entry, kSequence);
  kept.batches = static_cast<std::int64_t>(need_number(key, *entry, kBatches));
  kept.rows = static_cast<std::int64_t>(need_number(key, *entry, kRows));
  kept.epoch = need_number(key, *entry, kEpoch);
  kept.revision = entry->sequence;
  kept.is_chunked = entry->header(kChunks).has_value();
  kept.state = kept.is_chunked ? load_chunks(key, *entry) : std::string(entry->payload());
  return kept;
}

KeptState StateStore::facts(const std::string& key) const {
  KeptState kept;
  const auto entry = bucket_.read_message(key);
  if (!entry) return kept;
  kept.sequence = entry->number(kSequence).value_or(0);
  kept.batches = static_cast<std::int64_t>(entry->number(kBatches).value_or(0));
  kept.epoch = entry->number(kEpoch).value_or(0);
  kept.revision = entry->sequence;
  kept.is_chunked = entry->header(kChunks).has_value();
  return kept;
}

std::string StateStore::load_chunks(const std::string& key, const Delivery& entry) const {
  const std::uint64_t chunks = need_number(key, entry, kChunks);
  const std::uint64_t epoch = need_number(key, entry, kEpoch);
  const std::uint64_t sequence = need_number(key, entry, kSequence);
  std::string state;
  for (std::size_t i = 0; i < chunks; ++i) {
    const auto chunk = bucket_.read_message(chunk_key(key, epoch, sequence, i));
    if (!chunk) throw Damaged(fmt::format("state {} lacks chunk {} of {}", key, i + 1, chunks));
    state += chunk->payload();
  }
  if (const auto bytes = need_number(key, entry, kBytes); state.size() != bytes)
    throw Damaged(fmt::format("the chunks of state {} have {} bytes, must have {}", key, state.size(), bytes));
  return state;
}

void StateStore::save_chunks(Outbox& outbox, const std::vector<StateToKeep>& states) const {
  for (const auto& [key, kept, is_checked] : states)
    for (std::size_t i = 0; is_cut(*kept) && i < chunks_of(*kept); ++i)
      outbox.send({bucket_.subject(chunk_key(key, kept->epoch, kept->sequence, i)),
                   kept->state.substr(i * limit_, limit_),
                   {}});
}

Message StateStore::entry_of(const StateToKeep& state) const {
  const KeptState& kept = *state.state;
  Message entry{bucket_.subject(state.key), {}, {}};
  entry.set(kSequence, kept.sequence);
  entry.set(kBatches, static_cast<std::uint64_t>(kept.batches));
  entry.set(kRows, static_cast<std::uint64_t>(kept.rows));
  entry.set(kEpoch, kept.epoch);
  if (is_cut(kept)) {
    entry.set(kChunks, chunks_of(kept));
    entry.set(kBytes, kept.state.size());
  } else {
    entry.payload = kept.state;
  }
  return entry;
}

void StateStore::save(Outbox& outbox, const std::vector<StateToKeep>& states) const {
  save_chunks(outbox, states);
  const auto chunks = outbox.settle();
  for (const auto& state : states)
    outbox.send(entry_of(state),
                {.last_of_subject = state.is_checked ? static_cast<std::int64_t>(state.state->revision) : -1});
  const auto entries = outbox.settle();
  auto chunk = chunks.begin();
  for (std::size_t i = 0; i < states.size(); ++i) {
    KeptState& kept = *states[i].state;
    kept.revision = entries[i].sequence;
    const bool is_chunked = is_cut(kept);
    // Chunks of earlier writings, finished or not. Those that stay when this fails go with the next.
    if (is_chunked || kept.is_chunked)
      bucket_.purge_before("chunk." + states[i].key + ".>", is_chunked ? chunk->sequence : kept.revision);
    if (is_chunked) chunk += static_cast<std::ptrdiff_t>(chunks_of(kept));
    kept.is_chunked = is_chunked;
  }
}

}  // namespace stad::cluster
