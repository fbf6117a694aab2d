#pragma once

namespace CLI {
class App;
}

namespace stad::cli {

/// As many as the machine runs at once.
int available_threads();

/// --threads
void add_thread_option(CLI::App& command, int& threads);

}  // namespace stad::cli
