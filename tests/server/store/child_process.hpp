#pragma once

#include <csignal>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace stad::serving::testing {

/// The endless writer as a process of its own, killed at the end.
class WriterProcess {
 public:
  WriterProcess(const std::string& path, std::int64_t first, std::size_t length) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<std::string> message{STAD_STORE_WRITER, path, std::to_string(first), std::to_string(length)};
    std::vector<char*> arguments;
    for (std::string& word : message) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int failure = posix_spawn(&process_, STAD_STORE_WRITER, &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    acknowledged_ = ends[0];
    if (failure != 0) throw std::runtime_error("cannot start " STAD_STORE_WRITER);
  }
  ~WriterProcess() {
    kill();
    close(acknowledged_);
  }
  WriterProcess(const WriterProcess&) = delete;
  WriterProcess& operator=(const WriterProcess&) = delete;

  pid_t id() const { return process_; }

  /// Waits for the next save that was acknowledged; none: the process has ended and all were read.
  std::optional<std::int64_t> next() const {
    std::int64_t number = 0;
    const ssize_t got = read(acknowledged_, &number, sizeof number);
    return got == sizeof number ? std::optional(number) : std::nullopt;
  }

  void kill() {
    if (killed_) return;
    ::kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    killed_ = true;
  }

 private:
  pid_t process_ = -1;
  int acknowledged_ = -1;
  bool killed_ = false;
};

}  // namespace stad::serving::testing
