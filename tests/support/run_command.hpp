#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace stad::testing {

struct CommandResult {
  int exit_code = -1;  ///< -1 if a signal ended it
  int signal = 0;      ///< the signal that ended it, or 0
  bool timed_out = false;
  std::string out;
  std::string err;
};

/// A process whose standard streams are unnamed files, so that no pipe can block.
class RunningCommand {
 public:
  /// @param arguments path of the program and its arguments
  RunningCommand(const std::vector<std::string>& arguments, const std::string& input = "",
                 const std::string& directory = "");
  ~RunningCommand();
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  void send(int signal) const;
  /// Kills the process after the timeout.
  CommandResult wait(std::chrono::seconds timeout = std::chrono::seconds(120));

 private:
  std::FILE* input_;
  std::FILE* output_;
  std::FILE* errors_;
  pid_t process_ = -1;
};

CommandResult run_command(const std::vector<std::string>& arguments, const std::string& input = "",
                          const std::string& directory = "");

}  // namespace stad::testing
