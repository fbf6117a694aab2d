#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>

#include <gtest/gtest.h>

#include "server/store/store_test.hpp"

namespace stad::serving::testing {
namespace {

const StreamName kDefaultStream{"model", ""};

/// No file may grow beyond so many bytes.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
};

/// Two megabytes do not fit; what was there stays, and small things still fit afterwards.
void expect_failure_without_damage(Store& store, const std::string& path, const std::string& message) {
  const Status saved = save(store, kDefaultStream, numbered_record(2, 2'000'000));
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().kind, ErrorKind::kFailed);
  EXPECT_EQ(saved.error().message, path + ": " + message);
  EXPECT_TRUE(same(load(store, kDefaultStream), numbered_record(1, 1000)));
  const auto snapshot = take_snapshot(store, kDefaultStream, numbered_record(2, 2'000'000), "", 3);
  ASSERT_FALSE(snapshot);
  EXPECT_EQ(snapshot.error().message, path + ": " + message);
  EXPECT_EQ(store.flush().error().message, path + ": " + message) << "flush says what failed before it";
  EXPECT_TRUE(store.flush()) << "and says it once";
}

void expect_recovered(Store& store) {
  ASSERT_TRUE(save(store, kDefaultStream, numbered_record(3, 2'000'000)));
  EXPECT_TRUE(same(load(store, kDefaultStream), numbered_record(3, 2'000'000)));
}

TEST(StoreFullDisk, FailsWithTheReasonAndGoesOnWhenFilesMayGrowAgain) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("stad.db");
  {
    const auto store = open_store(path);
    ASSERT_TRUE(save(*store, kDefaultStream, numbered_record(1, 1000)));
    {
      const FileSizeLimit limit(1'000'000);
      expect_failure_without_damage(*store, path, "disk I/O error");
      ASSERT_TRUE(save(*store, {"model", "small"}, numbered_record(1, 1000)));
    }
    expect_recovered(*store);
  }
  EXPECT_TRUE(same(load(*open_store(path), kDefaultStream), numbered_record(3, 2'000'000)));
}

TEST(StoreFullDisk, FailsWithTheReasonAndGoesOnWhenThereIsSpaceAgain) {
  const TemporaryDirectory directory;
  if (mount("tmpfs", directory.path().c_str(), "tmpfs", 0, "size=8m") != 0)
    GTEST_SKIP() << "a small disk cannot be mounted: " << std::strerror(errno);
  const std::string path = directory.file("stad.db");
  {
    const auto store = open_store(path);
    EXPECT_TRUE(save(*store, kDefaultStream, numbered_record(1, 1000)));
    directory.write("filler", std::string(7'000'000, 'x'));
    expect_failure_without_damage(*store, path, "database or disk is full");
    std::filesystem::remove(directory.file("filler"));
    expect_recovered(*store);
  }
  EXPECT_EQ(umount(directory.path().c_str()), 0);
}

TEST(StoreFullDisk, WritesThatShareACommitShareItsFailure) {
  const TemporaryDirectory directory;
  const auto store = open_store(directory.file("stad.db"));
  ASSERT_TRUE(save(*store, kDefaultStream, numbered_record(1, 1000)));
  std::promise<void> began, gathered;
  store->save(kDefaultStream, numbered_record(1, 1000),
              [&](const Status&) {  // holds the thread while the others gather
                began.set_value();
                gathered.get_future().wait();
              });
  began.get_future().wait();
  int failed = 0;  // on the store's thread, until the flush
  {
    const FileSizeLimit limit(1'000'000);
    for (const std::size_t length : {1000U, 2'000'000U, 1000U})
      store->save({"model", "shared"}, numbered_record(2, length), [&](const Status& status) { failed += !status; });
    store->add_event({}, [](const Status&) {});
    gathered.set_value();
    EXPECT_FALSE(store->flush());
  }
  EXPECT_EQ(failed, 3);
  EXPECT_FALSE(store->load({"model", "shared"})->has_value());
  EXPECT_TRUE(store->events("", std::nullopt, 5)->empty());
}

TEST(StoreFullDisk, LeavesNoHalfMadeFile) {
  const TemporaryDirectory directory;
  {
    const FileSizeLimit limit(10'000);
    EXPECT_NE(error_of_opening(directory.file("stad.db")).find("cannot be made: disk I/O error"), std::string::npos);
  }
  EXPECT_FALSE(directory.has("stad.db"));
  EXPECT_FALSE(directory.has("stad.db.new"));
  EXPECT_EQ(error_of_opening(directory.file("stad.db")), "");
}

}  // namespace
}  // namespace stad::serving::testing
