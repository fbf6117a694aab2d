#include <gtest/gtest.h>

#include "server/store/database_text.hpp"
#include "server/store/store_test.hpp"
#include "serving/store/schema.hpp"
#include "serving/store/sqlite.hpp"

namespace stad::serving::testing {
namespace {

/// A file as version 1 wrote it. Never to be changed: such files exist.
constexpr const char* kVersion1 = R"sql(
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = WAL;
  BEGIN;
  CREATE TABLE streams(id INTEGER PRIMARY KEY, model TEXT NOT NULL, stream TEXT NOT NULL, batches INTEGER NOT NULL,
    rows INTEGER NOT NULL, updated REAL NOT NULL, state BLOB NOT NULL, UNIQUE(model, stream));
  CREATE TABLE answers(position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES streams(id) ON DELETE CASCADE, identity INTEGER NOT NULL, key TEXT NOT NULL,
    digest INTEGER NOT NULL, json_length INTEGER NOT NULL, body BLOB NOT NULL);
  CREATE INDEX answers_of_stream ON answers(stream, position, identity);
  CREATE TABLE snapshots(id INTEGER PRIMARY KEY AUTOINCREMENT, model TEXT NOT NULL, stream TEXT NOT NULL,
    created REAL NOT NULL, note TEXT NOT NULL, batches INTEGER NOT NULL, rows INTEGER NOT NULL, updated REAL NOT NULL,
    state BLOB NOT NULL);
  CREATE INDEX snapshots_of_stream ON snapshots(model, stream, id);
  CREATE TABLE events(id INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, model TEXT NOT NULL,
    stream TEXT NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL);
  CREATE TABLE models(name TEXT PRIMARY KEY NOT NULL, specification TEXT NOT NULL, source BLOB NOT NULL);
  INSERT INTO streams VALUES(4, 'model', '', 7, 448, 1.8e9, x'00ff00');
  INSERT INTO answers VALUES(11, 4, 99, 'first', -1, -1, '{}'), (12, 4, 98, 'second', 5, 3, x'7b7d00');
  INSERT INTO snapshots VALUES(31, 'model', '', 1.7e9, 'before reset', 6, 384, 1.6e9, x'01');
  INSERT INTO events VALUES(1, 1.5, 'model', '', 'reset', 'as asked');
  INSERT INTO models VALUES('model', '{"method":"source"}', x'504b');
  PRAGMA application_id = 1398030660;
  PRAGMA user_version = 1;
  COMMIT;
)sql";

TEST(StoreSchema, AFileOfVersion1IsReadAndContinued) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("stad.db");
  execute(path, kVersion1);
  const auto store = open_store(path);
  const StreamRecord expected{
      .state = std::string("\0\xff\0", 3),
      .batches = 7,
      .rows = 448,
      .updated = 1.8e9,
      .answers = {{"first", ~std::uint64_t{0}, -1, "{}"}, {"second", 5, 3, std::string("{}\0", 3)}}};
  EXPECT_TRUE(same(load(*store, {"model", ""}), expected));
  EXPECT_TRUE(same(**store->snapshot({"model", ""}, 31), {std::string("\1"), 6, 384, 1.6e9, {}}));
  EXPECT_EQ(store->events("", std::nullopt, 5)->front().detail, "as asked");
  EXPECT_EQ(store->events("", std::nullopt, 5)->front().caller, "");
  EXPECT_EQ(store->models()->front().source, "PK");

  EXPECT_EQ(*take_snapshot(*store, {"model", ""}, expected, "", 5), 32);
  StreamRecord continued = expected;
  continued.answers.push_back({"third", 6, -1, "{}"});
  ASSERT_TRUE(save(*store, {"model", ""}, continued));
  EXPECT_TRUE(same(load(*store, {"model", ""}), continued));
}

TEST(StoreSchema, LaterStepsAreTakenFromTheVersionOfTheFileOn) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("stad.db");
  execute(path, kVersion1);
  SqliteConnection connection(path);
  const std::vector<const char*> steps = {"this step was taken long ago", "ALTER TABLE models ADD COLUMN colour TEXT",
                                          "UPDATE models SET colour = 'red'"};
  migrate(connection, steps);
  EXPECT_EQ(connection.text("SELECT colour FROM models"), "red");
  EXPECT_EQ(connection.integer("PRAGMA user_version"), 3);
  migrate(connection, steps);
  EXPECT_EQ(connection.integer("PRAGMA user_version"), 3);
}

TEST(StoreSchema, StepsAreTakenAllOrNone) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("stad.db");
  execute(path, kVersion1);
  SqliteConnection connection(path);
  const std::vector<const char*> steps = {"", "DROP TABLE models", "a step that fails"};
  EXPECT_THROW(migrate(connection, steps), DatabaseError);
  EXPECT_EQ(connection.integer("PRAGMA user_version"), 1);
  EXPECT_EQ(connection.integer("SELECT count(*) FROM models"), 1);
}

}  // namespace
}  // namespace stad::serving::testing
