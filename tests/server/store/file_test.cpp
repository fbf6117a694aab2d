#include <sys/stat.h>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "server/store/database_text.hpp"
#include "server/store/store_test.hpp"
#include "serving/store/schema.hpp"

namespace stad::serving::testing {
namespace {

unsigned mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777U;
}

TEST(StoreFile, IsForItsOwnerAlone) {
  const TemporaryDirectory directory;
  const mode_t before = umask(0);
  const std::string path = directory.file("new/folder/stad.db");
  const auto store = open_store(path);
  ASSERT_TRUE(save(*store, {"model", ""}, numbered_record(1, 100)));
  ASSERT_TRUE(store->backup(directory.file("copy.db")));
  umask(before);
  EXPECT_EQ(mode_of(directory.file("new")), 0700U);
  EXPECT_EQ(mode_of(directory.file("new/folder")), 0700U);
  for (const char* end : {"", "-wal", "-shm", ".lock"}) EXPECT_EQ(mode_of(path + end), 0600U) << end;
  EXPECT_EQ(mode_of(directory.file("copy.db")), 0600U);
}

TEST(StoreFile, HasOurMarkAndTheSettingsThatKeepIt) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("stad.db");
  open_store(path).reset();
  EXPECT_EQ(first_value(path, "PRAGMA application_id"), std::to_string(kApplicationId));
  EXPECT_EQ(first_value(path, "PRAGMA user_version"), std::to_string(schema_steps().size()));
  EXPECT_EQ(first_value(path, "PRAGMA journal_mode"), "wal");
  EXPECT_EQ(first_value(path, "PRAGMA integrity_check"), "ok");
}

/// Refused in these words, and not a byte of it changed.
void expect_rejected_unchanged(const TemporaryDirectory& directory, const std::string& message) {
  const std::string before = directory.read("stad.db");
  const std::string error = error_of_opening(directory.file("stad.db"));
  EXPECT_EQ(error.find(directory.file("stad.db") + ": "), 0U) << error;
  EXPECT_NE(error.find(message), std::string::npos) << error;
  EXPECT_TRUE(directory.read("stad.db") == before);
  EXPECT_FALSE(directory.has("stad.db-wal"));
}

TEST(StoreFile, IsRefusedUntouchedWhereItIsNoDatabase) {
  for (const std::string& text : {std::string("hello"), std::string(10'000, 'x'), std::string(10'000, '\0')}) {
    const TemporaryDirectory directory;
    directory.write("stad.db", text);
    expect_rejected_unchanged(directory, "is not a SQLite database; name another file");
  }
}

TEST(StoreFile, IsRefusedUntouchedWhereItIsOfAnotherProgram) {
  const TemporaryDirectory directory;
  execute(directory.file("stad.db"), "CREATE TABLE cats(name); PRAGMA application_id = 7");
  expect_rejected_unchanged(directory, "is a database of another program (application_id 0x7, must be 0x53544144)");
}

TEST(StoreFile, IsRefusedUntouchedWhereItIsNewer) {
  const TemporaryDirectory directory;
  open_store(directory.file("stad.db")).reset();
  execute(directory.file("stad.db"), "PRAGMA user_version = 99");
  expect_rejected_unchanged(
      directory, "was written by a newer version of the service (tables of version 99, known are up to " +
                     std::to_string(schema_steps().size()) + "); run that version, or open a backup made before");
}

TEST(StoreFile, IsRefusedWhereItIsAFolder) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.file("stad.db"));
  EXPECT_EQ(error_of_opening(directory.file("stad.db")), directory.file("stad.db") + ": is not a file");
}

TEST(StoreFile, IsNotMadeBesideTheLogOfOneThatIsGone) {
  const TemporaryDirectory directory;
  directory.write("stad.db-wal", "the last minutes");
  EXPECT_NE(error_of_opening(directory.file("stad.db")).find("its log"), std::string::npos);
  EXPECT_EQ(directory.read("stad.db-wal"), "the last minutes");
}

TEST(StoreFile, MayBeEmptyOrHalfMadeBefore) {
  const TemporaryDirectory directory;
  directory.write("stad.db", "");
  directory.write("stad.db.new", "interrupted");
  ASSERT_TRUE(save(*open_store(directory.file("stad.db")), {"model", ""}, numbered_record(1, 10)));
  EXPECT_FALSE(directory.has("stad.db.new"));
}

/// The bytes of a database with three streams.
std::string some_database() {
  const TemporaryDirectory directory;
  {
    const auto store = open_store(directory.file("stad.db"));
    for (const char* name : {"a", "b", "c"}) EXPECT_TRUE(save(*store, {"model", name}, numbered_record(20, 100'000)));
  }
  return directory.read("stad.db");
}

/// Replaces bytes from a place on.
std::string damaged(std::string bytes, std::size_t place, std::size_t length) {
  return bytes.replace(place, length, std::string(length, '\x5a'));
}

TEST(StoreCorruption, OfTheTablesIsRefusedWithThePath) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("stad.db", damaged(some_database(), 100, 8000));
  EXPECT_EQ(error_of_opening(path), path + ": database disk image is malformed; put a backup in its place");
}

TEST(StoreCorruption, ByACutIsRefusedWithThePath) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("stad.db", some_database().substr(0, 100'000));
  EXPECT_EQ(error_of_opening(path), path + ": database disk image is malformed; put a backup in its place");
}

TEST(StoreCorruption, OfRowsIsToldWhereTheyAreReadAndNeverEndsTheProgram) {
  const std::string whole = some_database();
  int found = 0;
  for (std::size_t place = 8192; place < whole.size(); place += 8192) {  // the first half of every page
    const TemporaryDirectory directory;
    const std::string path = directory.write("stad.db", damaged(whole, place, 4096));
    const auto opened = Store::open(path);
    if (!opened) {
      EXPECT_EQ(opened.error().message.find(path), 0U);
      ++found;
      continue;
    }
    for (const char* name : {"a", "b", "c"}) {
      const auto loaded = (*opened)->load({"model", name});
      if (!loaded) {
        EXPECT_EQ(loaded.error().message, path + ": database disk image is malformed; put a backup in its place");
        ++found;
      }
      const Status saved = save(**opened, {"model", name}, numbered_record(21, 100'000));
      if (!saved) {
        EXPECT_EQ(saved.error().message.find(path), 0U);
      }
    }
  }
  EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace stad::serving::testing
