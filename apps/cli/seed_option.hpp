#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace stad::cli {

/// --seed
void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& meaning);

}  // namespace stad::cli
