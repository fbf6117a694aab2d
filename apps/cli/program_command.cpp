// Commands that are programs of their own, so that who does not use them needs neither a database nor messaging.
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
  const char* program;  ///< and the package it comes with
  const char* option;   ///< that builds it
  bool is_named;        ///< the program has several commands and is told which
  const char* footer;
  const char* argument = nullptr;  ///< that it must have
  const char* argument_summary = nullptr;
  const char* argument_value = nullptr;  ///< the only one it may be
};

constexpr std::array kProgramCommands{
    ProgramCommand{"cluster", "Look at a cluster of workers", "stad-cluster", "STAD_CLUSTER", true,
                   "Its options: stad cluster status --help.\nExample: stad cluster status --watch", "command",
                   "status: partitions, their owners, how far behind, how fast", "status"},
    ProgramCommand{"publish", "Feed a stream file to a cluster", "stad-cluster", "STAD_CLUSTER", true,
                   "Its options: stad publish --help.\n"
                   "Example: stad publish days.npz --model cameras --stream camera-7",
                   "file", "Stream file: npz, npy or csv"},
    ProgramCommand{"serve", "Serve models over HTTP to many streams, with a live page", "stad-server", "STAD_SERVER",
                   false,
                   "Its options: stad serve --help. Without any it shows a demo.\n"
                   "Example: stad serve --config stad.toml"},
    ProgramCommand{"subscribe", "Collect the answers of a cluster", "stad-cluster", "STAD_CLUSTER", true,
                   "Its options: stad subscribe --help.\n"
                   "Example: stad subscribe --model cameras --out answers.npz"},
    ProgramCommand{"worker", "Adapt streams of a cluster, beside other workers", "stad-cluster", "STAD_CLUSTER", true,
                   "Its options: stad worker --help.\n"
                   "Example: stad worker --nats nats://127.0.0.1:4222 --config stad.toml"}};

/// Beside this program, as both are built and installed.
std::string beside_us(const char* program) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? program : (self.parent_path() / program).string();
}

/// Becomes the program, which reads its arguments itself. Returns only by throwing.
[[noreturn]] void become(const ProgramCommand& command, char** arguments) {
  std::string program = beside_us(command.program);
  arguments[0] = program.data();
  ::execv(program.c_str(), arguments);
  if (errno == ENOENT) ::execvp(command.program, arguments);
  if (errno == ENOENT)
    reject(fmt::format("{0}: the program {1} is not there; install the package {1}, or build with {2}=ON", command.name,
                       command.program, command.option));
  throw AppError{failed(fmt::format("{}: {} cannot be run: {}", command.name, program, std::strerror(errno)))};
}

}  // namespace

void add_program_commands(CLI::App& app) {
  for (const auto& command : kProgramCommands) {
    auto* place = app.add_subcommand(std::string(command.name), command.summary);
    place->prefix_command();
    place->footer(command.footer);
    if (command.argument == nullptr) continue;
    auto* argument = place->add_option_function<std::string>(command.argument, {}, command.argument_summary);
    if (command.argument_value != nullptr) argument->check(CLI::IsMember({command.argument_value}));
  }
}

void run_program(int argc, char** argv) {
  for (const auto& command : kProgramCommands)
    if (argc > 1 && command.name == argv[1]) become(command, command.is_named ? argv : argv + 1);
}

}  // namespace stad::cli
