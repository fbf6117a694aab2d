#include "server/store/stream_reads.hpp"

namespace stad::server {

namespace {

/// Of the columns batches, rows, updated, state.
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

// length() of a blob column reads the row's header alone.
StreamReads::StreamReads(Connection& connection)
    : connection_(connection),
      stream_(connection, "SELECT id, batches, rows, updated, state FROM streams WHERE model = ? AND stream = ?"),
      answers_(connection, "SELECT key, digest, json_length, body FROM answers WHERE stream = ? ORDER BY position"),
      streams_(connection,
               "SELECT stream, batches, rows, updated, length(state) FROM streams "
               "WHERE model = ? AND stream >= ? ORDER BY stream LIMIT ?"),
      count_streams_(connection, "SELECT count(*) FROM streams WHERE model = ?"),
      snapshots_(connection,
                 "SELECT id, created, note, batches, length(state) FROM snapshots "
                 "WHERE model = ? AND stream = ? ORDER BY id DESC"),
      snapshot_(connection,
                "SELECT batches, rows, updated, state FROM snapshots WHERE model = ? AND stream = ? AND id = ?"),
      events_(connection,
              "SELECT time, model, stream, kind, detail FROM events "
              "WHERE (?1 = '' OR model = ?1) AND (?2 OR stream = ?3) ORDER BY id DESC LIMIT ?4"),
      models_(connection, "SELECT name, specification, source FROM models ORDER BY name") {}

// In one transaction, so that state and answers are of one moment.
std::optional<StreamRecord> StreamReads::load(const StreamName& name) {
  Transaction transaction(connection_, Transaction::Kind::kRead);
  Cursor row = stream_.start(name.model, name.stream);
  if (!row.next()) return std::nullopt;
  StreamRecord record = record_of(row, 1);
  const std::int64_t stream = row.integer(0);
  Cursor answers = answers_.start(stream);
  while (answers.next()) record.answers.push_back(answer_of(answers));
  return record;
}

std::vector<StreamLine> StreamReads::streams(const std::string& model, const std::optional<std::string>& after,
                                             std::int64_t limit) {
  std::vector<StreamLine> lines;
  const std::string first = after ? *after + '\0' : "";  // names are ordered by their bytes: the next possible one
  Cursor row = streams_.start(model, first, limit);
  while (row.next())
    lines.push_back({.stream = row.bytes(0),
                     .batches = row.integer(1),
                     .rows = row.integer(2),
                     .updated = row.real(3),
                     .bytes = row.integer(4)});
  return lines;
}

std::int64_t StreamReads::count_streams(const std::string& model) {
  Cursor row = count_streams_.start(model);
  return row.next() ? row.integer(0) : 0;
}

std::vector<SnapshotLine> StreamReads::snapshots(const StreamName& name) {
  std::vector<SnapshotLine> lines;
  Cursor row = snapshots_.start(name.model, name.stream);
  while (row.next())
    lines.push_back({.id = row.integer(0),
                     .created = row.real(1),
                     .note = row.bytes(2),
                     .batches = row.integer(3),
                     .bytes = row.integer(4)});
  return lines;
}

std::optional<StreamRecord> StreamReads::snapshot(const StreamName& name, std::int64_t id) {
  Cursor row = snapshot_.start(name.model, name.stream, id);
  if (!row.next()) return std::nullopt;
  return record_of(row, 0);
}

std::vector<Event> StreamReads::events(const std::string& model, const std::optional<std::string>& stream,
                                       std::int64_t limit) {
  std::vector<Event> events;
  const std::string wanted = stream.value_or("");
  const auto all_streams = static_cast<std::int64_t>(!stream || model.empty());
  Cursor row = events_.start(model, all_streams, wanted, limit);
  while (row.next())
    events.push_back({.time = row.real(0),
                      .name = {.model = row.bytes(1), .stream = row.bytes(2)},
                      .kind = row.bytes(3),
                      .detail = row.bytes(4)});
  return events;
}

std::vector<ModelRecord> StreamReads::models() {
  std::vector<ModelRecord> models;
  Cursor row = models_.start();
  while (row.next()) models.push_back({.name = row.bytes(0), .specification = row.bytes(1), .source = row.bytes(2)});
  return models;
}

}  // namespace stad::server
