#pragma once

#include <string>
#include <vector>

#include <stad/options.hpp>

namespace CLI {
class App;
}

namespace stad::cli {

/// -O, --option: as written, key=value.
void add_method_option(CLI::App& command, std::vector<std::string>& written);

/// Names and values; one without an equals sign is refused.
OptionValues split_options(const std::vector<std::string>& written);

}  // namespace stad::cli
