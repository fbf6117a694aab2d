#include "support/run_command.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

namespace stad::testing {
namespace {

std::FILE* unnamed_file(const std::string& content) {
  std::FILE* file = std::tmpfile();
  if (!file) throw std::runtime_error("no temporary file");
  if (std::fwrite(content.data(), 1, content.size(), file) != content.size()) throw std::runtime_error("disk full");
  std::rewind(file);
  return file;
}

std::string content_of(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char piece[4096];
  for (std::size_t n; (n = std::fread(piece, 1, sizeof piece, file)) > 0;) text.append(piece, n);
  return text;
}

}  // namespace

RunningCommand::RunningCommand(const std::vector<std::string>& arguments, const std::string& input,
                               const std::string& directory)
    : input_(unnamed_file(input)), output_(unnamed_file("")), errors_(unnamed_file("")) {
  std::vector<char*> argv;
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  process_ = fork();
  if (process_ != 0) return;
  // Only system calls are allowed between fork and exec.
  dup2(fileno(input_), STDIN_FILENO);
  dup2(fileno(output_), STDOUT_FILENO);
  dup2(fileno(errors_), STDERR_FILENO);
  if (!directory.empty() && chdir(directory.c_str()) != 0) _exit(126);
  execv(argv[0], argv.data());
  _exit(127);
}

RunningCommand::~RunningCommand() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  for (std::FILE* file : {input_, output_, errors_}) std::fclose(file);
}

void RunningCommand::send(int signal) const { kill(process_, signal); }

CommandResult RunningCommand::wait(std::chrono::seconds timeout) {
  CommandResult result;
  const auto end = std::chrono::steady_clock::now() + timeout;
  int status = 0;
  while (waitpid(process_, &status, WNOHANG) == 0) {
    if (!result.timed_out && std::chrono::steady_clock::now() > end) {
      result.timed_out = true;
      send(SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  process_ = -1;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = content_of(output_);
  result.err = content_of(errors_);
  return result;
}

CommandResult run_command(const std::vector<std::string>& arguments, const std::string& input,
                          const std::string& directory) {
  return RunningCommand(arguments, input, directory).wait();
}

}  // namespace stad::testing
