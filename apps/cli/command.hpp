#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/error.hpp"

namespace CLI {
class App;
}

namespace stad::cli {

/// A sub-command: its place on the command line, and what it does once that was read.
struct Command {
  const CLI::App* arguments;
  std::function<void()> run;
};

Command add_adapt_command(CLI::App& app);
Command add_bench_command(CLI::App& app);
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

/// serve, worker and others: only their places in the list. run_program() does the rest.
void add_program_commands(CLI::App& app);
/// Where the arguments name a command that is a program of its own, becomes that program; returns otherwise.
void run_program(int argc, char** argv);

/// `stad complete WORD...`, which shells ask: prints what may stand for the last word, with a tab and a summary;
/// nothing where a file or a value of one's own is wanted. No sub-command of CLI11, for the words may be anything.
void complete(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace stad::cli
