#include "base/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace stad::testing {
namespace {

/// Resets the number of threads to one after every test.
class Parallel : public ::testing::Test {
 protected:
  void TearDown() override { set_threads(1); }
};

TEST_F(Parallel, DoesEveryPieceOnce) {
  for (const int count : {1, 2, 5}) {
    set_threads(count);
    std::vector<std::atomic<int>> done(1000);
    parallel_for(1000, [&](Index i) { ++done[i]; });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

TEST_F(Parallel, RunsCoverTheRangeAndDoNotDependOnThreads) {
  std::vector<std::pair<Index, Index>> cuts[2];
  for (const int count : {1, 3}) {
    set_threads(count);
    std::vector<Index> length_at(1000, 0);
    parallel_for_runs(1000, 20'000, [&](Index first, Index length) { length_at[first] = length; });
    auto& cut = cuts[count == 1 ? 0 : 1];
    Index next = 0;
    while (next < 1000) {
      ASSERT_GT(length_at[next], 0);
      cut.emplace_back(next, length_at[next]);
      next += length_at[next];
    }
    EXPECT_EQ(next, 1000);
  }
  EXPECT_EQ(cuts[0], cuts[1]);
}

TEST_F(Parallel, PassesOnWhatAPieceThrows) {
  set_threads(3);
  const auto fail = [](Index i) {
    if (i == 7) throw std::runtime_error("piece 7");
  };
  EXPECT_THROW(parallel_for(20, fail), std::runtime_error);
  std::atomic<int> done = 0;
  parallel_for(20, [&](Index) { ++done; });
  EXPECT_EQ(done, 20);
}

TEST_F(Parallel, RunsNestedAndConcurrentCallsInPlace) {
  set_threads(2);
  std::atomic<int> done = 0;
  const auto nested = [&] { parallel_for(8, [&](Index) { parallel_for(4, [&](Index) { ++done; }); }); };
  std::thread other(nested);
  nested();
  other.join();
  EXPECT_EQ(done, 64);
}

/// Exit status of a child that does the work: 0 if it processed every item. SIGALRM ends a child that hangs.
int status_of_child(Index pieces) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    std::atomic<Index> done = 0;
    parallel_for(pieces, [&](Index) { ++done; });
    _exit(done == pieces ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST_F(Parallel, WorksInAForkedChild) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer forbids threads after a fork";
#endif
  set_threads(2);
  std::atomic<int> done = 0;
  parallel_for(20, [&](Index) { ++done; });
  EXPECT_EQ(status_of_child(20), 0);
  // The same if another thread uses the pool at the time of the fork.
  std::atomic<bool> begun = false, forked = false;
  std::thread other([&] {
    parallel_for(2, [&](Index) {
      begun = true;
      while (!forked) std::this_thread::yield();
    });
  });
  while (!begun) std::this_thread::yield();
  EXPECT_EQ(status_of_child(20), 0);
  forked = true;
  other.join();
  parallel_for(20, [&](Index) { ++done; });
  EXPECT_EQ(done, 40);
}

}  // namespace
}  // namespace stad::testing
