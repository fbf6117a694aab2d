// Commands that are separate programs, so that the command itself depends neither on a database nor on messaging.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace stad::cli {
namespace {

struct ProgramCommand {
  std::string_view name;
  const char* summary;
  const char* program;  ///< the executable, and the package that holds it
  const char* option;   ///< the CMake option that builds it
  bool is_named;        ///< the program has several commands and takes the name
  const char* footer;
  const char* argument = nullptr;  ///< required positional argument
  const char* argument_summary = nullptr;
  const char* argument_value = nullptr;  ///< its only allowed value
};

constexpr std::array kProgramCommands{
    ProgramCommand{"cluster", "Show the state of a cluster of workers", "stad-cluster", "STAD_CLUSTER", true,
                   "Options: stad cluster status --help.\nExample: stad cluster status --watch", "command",
                   "status: partitions, their owners, backlog and throughput", "status"},
    ProgramCommand{"publish", "Publish a stream file to a cluster", "stad-cluster", "STAD_CLUSTER", true,
                   "Options: stad publish --help.\n"
                   "Example: stad publish days.npz --model cameras --stream camera-7",
                   "file", "Stream file: npz, npy or csv"},
    ProgramCommand{"serve", "Serve models over HTTP to many streams, with a web console", "stad-server", "STAD_SERVER",
                   false,
                   "Options: stad serve --help. Without options it runs a demo.\n"
                   "Example: stad serve --config stad.toml"},
    ProgramCommand{"subscribe", "Collect the predictions of a cluster", "stad-cluster", "STAD_CLUSTER", true,
                   "Options: stad subscribe --help.\n"
                   "Example: stad subscribe --model cameras --out answers.npz"},
    ProgramCommand{"worker", "Adapt streams of a cluster together with other workers", "stad-cluster", "STAD_CLUSTER",
                   true,
                   "Options: stad worker --help.\n"
                   "Example: stad worker --nats nats://127.0.0.1:4222 --config stad.toml"}};

/// The path of a program in the directory of this one, where both are built and installed.
std::string path_beside_executable(const char* program) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? program : (self.parent_path() / program).string();
}

/// Replaces this process by the program, which parses its arguments itself. Throws if that fails.
[[noreturn]] void exec_program(const ProgramCommand& command, char** arguments) {
  std::string program = path_beside_executable(command.program);
  arguments[0] = program.data();
  ::execv(program.c_str(), arguments);
  if (errno == ENOENT) ::execvp(command.program, arguments);
  if (errno == ENOENT)
    reject(fmt::format("{0}: program {1} not found; install the package {1}, or build with {2}=ON", command.name,
                       command.program, command.option));
  throw AppError{failed(fmt::format("{}: {} cannot be run: {}", command.name, program, std::strerror(errno)))};
}

}  // namespace

void add_program_commands(CLI::App& app) {
  for (const auto& command : kProgramCommands) {
    auto* subcommand = app.add_subcommand(std::string(command.name), command.summary);
    subcommand->prefix_command();
    subcommand->footer(command.footer);
    if (command.argument == nullptr) continue;
    auto* argument = subcommand->add_option_function<std::string>(command.argument, {}, command.argument_summary);
    if (command.argument_value != nullptr) argument->check(CLI::IsMember({command.argument_value}));
  }
}

void run_program(int argc, char** argv) {
  for (const auto& command : kProgramCommands)
    if (argc > 1 && command.name == argv[1]) exec_program(command, command.is_named ? argv : argv + 1);
}

}  // namespace stad::cli
