#include <signal.h>

#include <thread>

#include "cli/command_test.hpp"

namespace stad::testing {
namespace {

/// Long enough that every signal below arrives while it runs.
class InterruptionTest : public CommandTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(stad({"simulate", "--out", "s.npz", "--dimension", "64", "--samples", "1000"}).exit_code, 0);
  }

  std::vector<std::string> long_run() const {
    return {kCommand, "adapt", "--method", "stad-gauss",  "--stream", "s.npz", "--batch-size",
            "20",     "--out", "o.npz",    "--state-out", "o.state",  "-O",    "sweeps=50"};
  }
};

TEST_F(InterruptionTest, EndsByTheSignalAndLeavesNoFile) {
  for (const int signal : {SIGINT, SIGTERM}) {
    for (const int milliseconds : {1, 20, 200, 800}) {
      RunningCommand command(long_run(), "", directory.path());
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      command.send(signal);
      const auto result = command.wait();
      EXPECT_EQ(result.signal, signal) << "exit code " << result.exit_code << result.err;
      EXPECT_FALSE(result.timed_out);
      EXPECT_EQ(result.out, "");
      EXPECT_EQ(directory.files(), 1U);
    }
  }
}

TEST_F(InterruptionTest, KeepsTheOldFileWhenANewOneWasNotFinished) {
  directory.write("o.npz", "old answers");
  RunningCommand command(long_run(), "", directory.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  command.send(SIGINT);
  EXPECT_EQ(command.wait().signal, SIGINT);
  EXPECT_EQ(directory.read("o.npz"), "old answers");
}

}  // namespace
}  // namespace stad::testing
