#include "serving/store/statements.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include <fmt/format.h>

namespace stad::serving {
namespace {

constexpr std::int64_t kKeptEvents = 10000;

struct StoredAnswer {
  std::int64_t position;
  std::int64_t identity;
};

/// The number of stored answers, from the oldest on, that are not among the new ones. A ring buffer drops at its front
/// and grows at its back, so the remaining stored answers are a prefix of the new ones.
std::size_t count_dropped(const std::vector<StoredAnswer>& stored, const std::vector<std::int64_t>& identities) {
  const auto same = [](const StoredAnswer& answer, std::int64_t identity) { return answer.identity == identity; };
  for (std::size_t dropped = 0; dropped < stored.size(); ++dropped) {
    const auto left = static_cast<std::ptrdiff_t>(stored.size() - dropped);
    if (left <= std::ssize(identities) &&
        std::equal(stored.end() - left, stored.end(), identities.begin(), identities.begin() + left, same))
      return dropped;
  }
  return stored.size();
}

/// Reads the columns batches, rows, updated, state.
StreamRecord record_of(const Cursor& row, int first) {
  return {.state = row.bytes(first + 3),
          .batches = row.integer(first),
          .rows = row.integer(first + 1),
          .updated = row.real(first + 2),
          .answers = {}};
}

KeptAnswer answer_of(const Cursor& row) {
  return {.key = row.bytes(0),
          .digest = static_cast<std::uint64_t>(row.integer(1)),
          .json_length = row.integer(2),
          .body = row.bytes(3)};
}

}  // namespace

std::int64_t identity_of(const KeptAnswer& answer) {
  const std::hash<std::string_view> hash;
  std::uint64_t identity = answer.digest;
  for (const std::uint64_t part : {hash(answer.key), static_cast<std::size_t>(answer.json_length), hash(answer.body)})
    identity = (identity ^ part) * 0x9E3779B97F4A7C15U;  // odd and therefore invertible
  return static_cast<std::int64_t>(identity);
}

WriteStatements::WriteStatements(SqliteConnection& connection)
    : connection_(connection),
      journal_(connection),
      stream_id_(connection, "SELECT id FROM streams WHERE model = ? AND stream = ?"),
      model_ids_(connection, "SELECT id FROM streams WHERE model = ?"),
      save_stream_(connection,
                   "INSERT INTO streams(model, stream, batches, rows, updated, state, journaled) "
                   "VALUES(?, ?, ?, ?, ?, ?, ?) "
                   "ON CONFLICT(model, stream) DO UPDATE SET batches = excluded.batches, rows = excluded.rows, "
                   "updated = excluded.updated, state = excluded.state, journaled = excluded.journaled RETURNING id"),
      kept_answers_(connection, "SELECT position, identity FROM answers WHERE stream = ? ORDER BY position"),
      remove_answer_(connection, "DELETE FROM answers WHERE position = ?"),
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
      add_event_(connection, "INSERT INTO events(time, model, stream, kind, detail, caller) VALUES(?, ?, ?, ?, ?, ?)"),
      prune_events_(connection, "DELETE FROM events WHERE id <= ?"),
      save_model_(connection,
                  "INSERT INTO models(name, specification, source) VALUES(?, ?, ?) "
                  "ON CONFLICT(name) DO UPDATE SET specification = excluded.specification, source = excluded.source"),
      remove_model_(connection, "DELETE FROM models WHERE name = ?"),
      remove_model_streams_(connection, "DELETE FROM streams WHERE model = ?"),
      remove_model_snapshots_(connection, "DELETE FROM snapshots WHERE model = ?") {}

void WriteStatements::save(const StreamName& name, const StreamRecord& record,
                           const std::vector<std::int64_t>& identities) {
  const bool has_state = !record.only_changes;
  const std::int64_t stream = has_state ? replace_state(name, record) : add_changes(name, record);
  if (has_state || !record.answers.empty()) save_answers(stream, record.answers, identities);
}

std::int64_t WriteStatements::replace_state(const StreamName& name, const StreamRecord& record) {
  std::int64_t stream = 0;
  const std::int64_t journaled = journal_.last_row();
  {
    Cursor saved = save_stream_.start(name.model, name.stream, record.batches, record.rows, record.updated,
                                      Blob{record.state}, journaled);
    while (saved.next()) stream = saved.integer(0);
  }
  journal_.supersede(stream);
  return stream;
}

std::int64_t WriteStatements::add_changes(const StreamName& name, const StreamRecord& record) {
  const auto stream = id_of(name);
  if (!stream)
    throw std::logic_error(fmt::format("stream '{}' of model {} has no state to add to", name.stream, name.model));
  journal_.add(*stream, record);
  return *stream;
}

std::optional<std::int64_t> WriteStatements::id_of(const StreamName& name) {
  Cursor found = stream_id_.start(name.model, name.stream);
  return found.next() ? std::optional(found.integer(0)) : std::nullopt;
}

void WriteStatements::save_answers(std::int64_t stream, const std::vector<KeptAnswer>& answers,
                                   const std::vector<std::int64_t>& identities) {
  std::vector<StoredAnswer> stored;
  {
    Cursor kept = kept_answers_.start(stream);
    while (kept.next()) stored.push_back({kept.integer(0), kept.integer(1)});
  }
  const std::size_t dropped = count_dropped(stored, identities);
  for (std::size_t i = 0; i < dropped; ++i) remove_answer_.run(stored[i].position);
  for (std::size_t i = stored.size() - dropped; i < answers.size(); ++i)
    add_answer_.run(stream, identities[i], answers[i].key, static_cast<std::int64_t>(answers[i].digest),
                    answers[i].json_length, Blob{answers[i].body});
}

void WriteStatements::remove(const StreamName& name) {
  if (const auto stream = id_of(name)) journal_.supersede(*stream);
  remove_stream_.run(name.model, name.stream);
  remove_snapshots_.run(name.model, name.stream);
}

std::int64_t WriteStatements::snapshot(const StreamName& name, const StreamRecord& record, const std::string& note,
                                       double created, std::int64_t kept) {
  add_snapshot_.run(name.model, name.stream, created, note, record.batches, record.rows, record.updated,
                    Blob{record.state});
  const std::int64_t id = connection_.last_id();
  prune_snapshots_.run(name.model, name.stream, kept);
  return id;
}

void WriteStatements::add_event(const Event& event) {
  add_event_.run(event.time, event.name.model, event.name.stream, event.kind, event.detail, event.caller);
  const std::int64_t last_removed = connection_.last_id() - kKeptEvents;
  prune_events_.run(last_removed);
}

void WriteStatements::save_model(const ModelRecord& model) {
  save_model_.run(model.name, model.specification, Blob{model.source});
}

void WriteStatements::remove_model(const std::string& model) {
  for (Cursor row = model_ids_.start(model); row.next();) journal_.supersede(row.integer(0));
  remove_model_.run(model);
  remove_model_streams_.run(model);
  remove_model_snapshots_.run(model);
}

// length() of a blob column reads only the header of the row.
ReadStatements::ReadStatements(SqliteConnection& connection, const ChangeJournal& journal)
    : connection_(connection),
      journal_(journal),
      stream_(connection, "SELECT id, batches, rows, updated, state FROM streams WHERE model = ? AND stream = ?"),
      change_(connection, "SELECT substr(entries, ?, ?) FROM journal WHERE id = ?"),
      answers_(connection, "SELECT key, digest, json_length, body FROM answers WHERE stream = ? ORDER BY position"),
      streams_(connection,
               "SELECT stream, batches, rows, updated, length(state), id FROM streams "
               "WHERE model = ? AND stream >= ? ORDER BY stream LIMIT ?"),
      count_streams_(connection, "SELECT count(*) FROM streams WHERE model = ?"),
      snapshots_(connection,
                 "SELECT id, created, note, batches, length(state) FROM snapshots "
                 "WHERE model = ? AND stream = ? ORDER BY id DESC"),
      snapshot_(connection,
                "SELECT batches, rows, updated, state FROM snapshots WHERE model = ? AND stream = ? AND id = ?"),
      events_(connection,
              "SELECT time, model, stream, kind, detail, caller FROM events "
              "WHERE (?1 = '' OR model = ?1) AND (?2 OR stream = ?3) ORDER BY id DESC LIMIT ?4"),
      models_(connection, "SELECT name, specification, source FROM models ORDER BY name") {}

// In one transaction, so that state, changes and answers are consistent. It begins with its first read.
std::optional<StreamRecord> ReadStatements::load(const StreamName& name) {
  auto lock = journal_.lock();
  Transaction transaction(connection_, Transaction::Kind::kRead);
  Cursor row = stream_.start(name.model, name.stream);
  if (!row.next()) return std::nullopt;
  StreamRecord record = record_of(row, 1);
  const std::int64_t stream = row.integer(0);
  const ChangeJournal::Places places = journal_.pending(stream);
  lock.unlock();
  read_changes(places, record);
  Cursor answers = answers_.start(stream);
  while (answers.next()) record.answers.push_back(answer_of(answers));
  return record;
}

void ReadStatements::read_changes(const ChangeJournal::Places& places, StreamRecord& record) {
  for (const auto& place : places) {
    Cursor change = change_.start(place.offset + 1, place.size, place.row);
    if (!change.next()) throw DatabaseError(0, fmt::format("row {} of the journal is missing", place.row));
    record.changes.push_back(change.bytes(0));
  }
  if (places.empty()) return;
  record.batches = places.back().batches;
  record.rows = places.back().rows;
  record.updated = places.back().updated;
}

std::vector<StreamSummary> ReadStatements::streams(const std::string& model, const std::optional<std::string>& after,
                                                   std::int64_t limit) {
  std::vector<StreamSummary> lines;
  const std::string first =
      after ? *after + '\0' : "";  // the next possible name, since names are ordered by their bytes
  const auto lock = journal_.lock();
  Cursor row = streams_.start(model, first, limit);
  while (row.next()) {
    lines.push_back({.stream = row.bytes(0),
                     .batches = row.integer(1),
                     .rows = row.integer(2),
                     .updated = row.real(3),
                     .bytes = row.integer(4)});
    const auto& places = journal_.pending(row.integer(5));
    if (places.empty()) continue;
    lines.back().batches = places.back().batches;
    lines.back().rows = places.back().rows;
    lines.back().updated = places.back().updated;
  }
  return lines;
}

std::int64_t ReadStatements::count_streams(const std::string& model) {
  Cursor row = count_streams_.start(model);
  return row.next() ? row.integer(0) : 0;
}

std::vector<SnapshotSummary> ReadStatements::snapshots(const StreamName& name) {
  std::vector<SnapshotSummary> lines;
  Cursor row = snapshots_.start(name.model, name.stream);
  while (row.next())
    lines.push_back({.id = row.integer(0),
                     .created = row.real(1),
                     .note = row.bytes(2),
                     .batches = row.integer(3),
                     .bytes = row.integer(4)});
  return lines;
}

std::optional<StreamRecord> ReadStatements::snapshot(const StreamName& name, std::int64_t id) {
  Cursor row = snapshot_.start(name.model, name.stream, id);
  if (!row.next()) return std::nullopt;
  return record_of(row, 0);
}

std::vector<Event> ReadStatements::events(const std::string& model, const std::optional<std::string>& stream,
                                          std::int64_t limit) {
  std::vector<Event> events;
  const std::string wanted = stream.value_or("");
  const auto all_streams = static_cast<std::int64_t>(!stream || model.empty());
  Cursor row = events_.start(model, all_streams, wanted, limit);
  while (row.next())
    events.push_back({.time = row.real(0),
                      .name = {.model = row.bytes(1), .stream = row.bytes(2)},
                      .kind = row.bytes(3),
                      .detail = row.bytes(4),
                      .caller = row.bytes(5)});
  return events;
}

std::vector<ModelRecord> ReadStatements::models() {
  std::vector<ModelRecord> models;
  Cursor row = models_.start();
  while (row.next()) models.push_back({.name = row.bytes(0), .specification = row.bytes(1), .source = row.bytes(2)});
  return models;
}

}  // namespace stad::serving
