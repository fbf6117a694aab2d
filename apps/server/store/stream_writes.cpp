#include "server/store/stream_writes.hpp"

#include <algorithm>
#include <functional>

namespace stad::server {

namespace {

constexpr std::int64_t kKeptEvents = 10000;

struct StoredAnswer {
  std::int64_t position;
  std::int64_t identity;
};

/// How many of the stored answers, from the oldest on, are gone from the new ones: a ring loses at its front and grows
/// at its back, so what is left of the stored ones must be how the new ones begin.
std::size_t count_gone(const std::vector<StoredAnswer>& stored, const std::vector<std::int64_t>& identities) {
  const auto same = [](const StoredAnswer& answer, std::int64_t identity) { return answer.identity == identity; };
  for (std::size_t gone = 0; gone < stored.size(); ++gone) {
    const auto left = static_cast<std::ptrdiff_t>(stored.size() - gone);
    if (left <= std::ssize(identities) &&
        std::equal(stored.end() - left, stored.end(), identities.begin(), identities.begin() + left, same))
      return gone;
  }
  return stored.size();
}

}  // namespace

std::int64_t identity_of(const KeptAnswer& answer) {
  const std::hash<std::string_view> hash;
  std::uint64_t identity = answer.digest;
  for (const std::uint64_t part : {hash(answer.key), static_cast<std::size_t>(answer.json_length), hash(answer.body)})
    identity = (identity ^ part) * 0x9E3779B97F4A7C15U;  // odd, so no part is lost
  return static_cast<std::int64_t>(identity);
}

StreamWrites::StreamWrites(Connection& connection)
    : connection_(connection),
      save_stream_(connection,
                   "INSERT INTO streams(model, stream, batches, rows, updated, state) VALUES(?, ?, ?, ?, ?, ?) "
                   "ON CONFLICT(model, stream) DO UPDATE SET batches = excluded.batches, rows = excluded.rows, "
                   "updated = excluded.updated, state = excluded.state RETURNING id"),
      kept_answers_(connection, "SELECT position, identity FROM answers WHERE stream = ? ORDER BY position"),
      forget_answer_(connection, "DELETE FROM answers WHERE position = ?"),
      add_answer_(connection,
                  "INSERT INTO answers(stream, identity, key, digest, json_length, body) VALUES(?, ?, ?, ?, ?, ?)"),
      remove_stream_(connection, "DELETE FROM streams WHERE model = ? AND stream = ?"),
      remove_snapshots_(connection, "DELETE FROM snapshots WHERE model = ? AND stream = ?"),
      add_snapshot_(connection,
                    "INSERT INTO snapshots(model, stream, created, note, batches, rows, updated, state) "
                    "VALUES(?, ?, ?, ?, ?, ?, ?, ?)"),
      prune_snapshots_(connection,
                       "DELETE FROM snapshots WHERE id IN (SELECT id FROM snapshots WHERE model = ? AND stream = ? "
                       "ORDER BY id DESC LIMIT -1 OFFSET ?)"),
      add_event_(connection, "INSERT INTO events(time, model, stream, kind, detail) VALUES(?, ?, ?, ?, ?)"),
      prune_events_(connection, "DELETE FROM events WHERE id <= ?"),
      save_model_(connection,
                  "INSERT INTO models(name, specification, source) VALUES(?, ?, ?) "
                  "ON CONFLICT(name) DO UPDATE SET specification = excluded.specification, source = excluded.source"),
      remove_model_(connection, "DELETE FROM models WHERE name = ?"),
      remove_model_streams_(connection, "DELETE FROM streams WHERE model = ?"),
      remove_model_snapshots_(connection, "DELETE FROM snapshots WHERE model = ?") {}

void StreamWrites::save(const StreamName& name, const StreamRecord& record,
                        const std::vector<std::int64_t>& identities) {
  std::int64_t stream = 0;
  {
    Cursor saved =
        save_stream_.start(name.model, name.stream, record.batches, record.rows, record.updated, Blob{record.state});
    while (saved.next()) stream = saved.integer(0);
  }
  save_answers(stream, record.answers, identities);
}

void StreamWrites::save_answers(std::int64_t stream, const std::vector<KeptAnswer>& answers,
                                const std::vector<std::int64_t>& identities) {
  std::vector<StoredAnswer> stored;
  {
    Cursor kept = kept_answers_.start(stream);
    while (kept.next()) stored.push_back({kept.integer(0), kept.integer(1)});
  }
  const std::size_t gone = count_gone(stored, identities);
  for (std::size_t i = 0; i < gone; ++i) forget_answer_.run(stored[i].position);
  for (std::size_t i = stored.size() - gone; i < answers.size(); ++i)
    add_answer_.run(stream, identities[i], answers[i].key, static_cast<std::int64_t>(answers[i].digest),
                    answers[i].json_length, Blob{answers[i].body});
}

void StreamWrites::remove(const StreamName& name) {
  remove_stream_.run(name.model, name.stream);
  remove_snapshots_.run(name.model, name.stream);
}

std::int64_t StreamWrites::snapshot(const StreamName& name, const StreamRecord& record, const std::string& note,
                                    double created, std::int64_t kept) {
  add_snapshot_.run(name.model, name.stream, created, note, record.batches, record.rows, record.updated,
                    Blob{record.state});
  const std::int64_t id = connection_.last_id();
  prune_snapshots_.run(name.model, name.stream, kept);
  return id;
}

void StreamWrites::note(const Event& event) {
  add_event_.run(event.time, event.name.model, event.name.stream, event.kind, event.detail);
  const std::int64_t oldest_that_goes = connection_.last_id() - kKeptEvents;
  prune_events_.run(oldest_that_goes);
}

void StreamWrites::save_model(const ModelRecord& model) {
  save_model_.run(model.name, model.specification, Blob{model.source});
}

void StreamWrites::remove_model(const std::string& model) {
  remove_model_.run(model);
  remove_model_streams_.run(model);
  remove_model_snapshots_.run(model);
}

}  // namespace stad::server
