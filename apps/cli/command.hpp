#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/error.hpp"

namespace CLI {
class App;
}

namespace stad::cli {

/// A sub-command: its arguments, and the function to run after they were parsed.
struct Command {
  const CLI::App* arguments;
  std::function<void()> run;
};

Command add_adapt_command(CLI::App& app);
Command add_bench_command(CLI::App& app);
Command add_card_command(CLI::App& app);
Command add_certify_command(CLI::App& app);
Command add_compare_command(CLI::App& app);
Command add_corrupt_command(CLI::App& app);
Command add_demo_command(CLI::App& app);
Command add_features_command(CLI::App& app);
Command add_fit_command(CLI::App& app);
Command add_simulate_command(CLI::App& app);
Command add_speed_command(CLI::App& app);
Command add_train_command(CLI::App& app);
Command add_manual_command(CLI::App& app);
Command add_methods_command(CLI::App& app);
Command add_inspect_command(CLI::App& app);

/// Adds serve, worker and the other commands that are programs of their own to --help. run_program() runs them.
void add_program_commands(CLI::App& app);
/// Replaces this process by the program where the arguments name such a command; returns otherwise.
void run_program(int argc, char** argv);

/// `stad complete WORD...`, called by shell completion: prints the candidates for the last word, each with a tab and a
/// summary; prints nothing where a file name or a free value is expected. Not a sub-command of CLI11, because the words
/// are arbitrary.
void complete(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace stad::cli
