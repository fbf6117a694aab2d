#include "serving/store/schema.hpp"

#include <array>

#include <fmt/format.h>

namespace stad::serving {

namespace {

// Small columns come before large ones, so that a listing does not read the overflow pages of states. Rows have integer
// keys because SQLite overwrites a row of unchanged length in place and writes only the pages that differ.
constexpr std::array<const char*, 3> kSteps = {R"sql(
  CREATE TABLE streams(
    id INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    stream TEXT NOT NULL,
    batches INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    updated REAL NOT NULL,
    state BLOB NOT NULL,
    UNIQUE(model, stream));
  CREATE TABLE answers(
    position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES streams(id) ON DELETE CASCADE,
    identity INTEGER NOT NULL,
    key TEXT NOT NULL,
    digest INTEGER NOT NULL,
    json_length INTEGER NOT NULL,
    body BLOB NOT NULL);
  CREATE INDEX answers_of_stream ON answers(stream, position, identity);
  CREATE TABLE snapshots(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    model TEXT NOT NULL,
    stream TEXT NOT NULL,
    created REAL NOT NULL,
    note TEXT NOT NULL,
    batches INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    updated REAL NOT NULL,
    state BLOB NOT NULL);
  CREATE INDEX snapshots_of_stream ON snapshots(model, stream, id);
  CREATE TABLE events(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time REAL NOT NULL,
    model TEXT NOT NULL,
    stream TEXT NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL);
  CREATE TABLE models(
    name TEXT PRIMARY KEY NOT NULL,
    specification TEXT NOT NULL,
    source BLOB NOT NULL);
)sql",
                                               "ALTER TABLE events ADD COLUMN caller TEXT NOT NULL DEFAULT ''",
                                               // `journaled` is the last row of the journal whose changes the state
                                               // includes. AUTOINCREMENT, since an id must not be used again.
                                               R"sql(
  ALTER TABLE streams ADD COLUMN journaled INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE journal(id INTEGER PRIMARY KEY AUTOINCREMENT, entries BLOB NOT NULL);
)sql"};

}  // namespace

std::span<const char* const> schema_steps() { return kSteps; }

void migrate(SqliteConnection& connection, std::span<const char* const> steps) {
  const auto version = static_cast<std::size_t>(connection.integer("PRAGMA user_version"));
  if (version >= steps.size()) return;
  Transaction transaction(connection, Transaction::Kind::kWrite);
  for (const char* step : steps.subspan(version)) connection.execute(step);
  connection.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, steps.size()));
  transaction.commit();
  // Writes the version to the header of the file, where check_header() reads it before the file is opened.
  connection.execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

std::string newer_version_error(std::int64_t version) {
  const auto known = static_cast<std::int64_t>(schema_steps().size());
  if (version <= known) return "";
  return fmt::format(
      "was written by a newer version of the service (tables of version {}, known are up to {}); run that "
      "version, or open a backup made before",
      version, known);
}

}  // namespace stad::serving
