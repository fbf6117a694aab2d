#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "server/store/child_process.hpp"
#include "server/store/store_test.hpp"

namespace stad::serving::testing {
namespace {

constexpr std::size_t kLength = 80'000;
const StreamName kWriterStream{"model", "stream"};

TEST(StoreCrash, EveryAcknowledgedSaveIsThereAfterAKill) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("stad.db");
  std::mt19937_64 random(5);
  std::int64_t next = 0;
  for (int round = 0; round < 50; ++round) {
    std::int64_t last = -1;
    {
      WriterProcess writer(path, next, kLength);
      const auto first = writer.next();
      ASSERT_TRUE(first);
      last = *first;
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 40'000));
      writer.kill();
      while (const auto number = writer.next()) last = *number;
    }
    const StreamRecord found = load(*open_store(path), kWriterStream);
    ASSERT_GE(found.batches, last) << "in round " << round;
    ASSERT_TRUE(same(found, numbered_record(found.batches, kLength))) << "in round " << round;
    next = found.batches + 1;
  }
  EXPECT_GE(next, 50);
}

TEST(StoreLock, ASecondProcessIsToldWhichOneHoldsTheFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("stad.db");
  WriterProcess writer(path, 0, 100);
  ASSERT_TRUE(writer.next());
  const std::string holder = "process " + std::to_string(writer.id());
  EXPECT_EQ(error_of_opening(path), path + ": is in use by " + holder + "; stop it, or name another file");
  writer.kill();
  EXPECT_EQ(error_of_opening(path), "");
}

TEST(StoreLock, HoldsInsideOneProcessAndThroughLinks) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("stad.db");
  auto store = open_store(path);
  std::filesystem::create_symlink(path, directory.file("link.db"));
  for (const char* name : {"stad.db", "link.db", "./stad.db"})
    EXPECT_NE(error_of_opening(directory.file(name)).find("process " + std::to_string(getpid())), std::string::npos)
        << name;
  store.reset();
  EXPECT_EQ(error_of_opening(directory.file("link.db")), "");
}

}  // namespace
}  // namespace stad::serving::testing
