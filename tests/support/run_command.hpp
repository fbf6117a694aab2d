#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace stad::testing {

struct CommandResult {
  int exit_code = -1;  ///< -1 where a signal ended it
  int signal = 0;      ///< what ended it, or 0
  bool timed_out = false;
  std::string out;
  std::string err;
};

/// A process with its own standard streams, kept in unnamed files so that no pipe can fill up.
class RunningCommand {
 public:
  /// @param arguments the program's path, then its arguments
  RunningCommand(const std::vector<std::string>& arguments, const std::string& input = "",
                 const std::string& directory = "");
  ~RunningCommand();
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  void send(int signal) const;
  /// Kills it when the time is over.
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
