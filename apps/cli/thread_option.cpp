#include "cli/thread_option.hpp"

#include <algorithm>
#include <thread>

#include <CLI/CLI.hpp>

namespace stad::cli {

int available_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void add_thread_option(CLI::App& command, int& threads) {
  command
      .add_option("--threads", threads,
                  "How many threads to use (default: one a core); the answers do not depend on it")
      ->check(CLI::Range(1, 1024));
}

}  // namespace stad::cli
