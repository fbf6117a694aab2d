#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <stad/options.hpp>

namespace CLI {
class App;
class Option;
}  // namespace CLI

// Options that several sub-commands have, and the description of the command line that completion and the manual pages
// are generated from.
namespace stad::cli {

/// Adds -O, --option.
/// @param written receives every key=value as written
void add_method_option(CLI::App& command, std::vector<std::string>& written);

/// Splits each key=value. Rejects a text without a key or an equals sign.
OptionValues split_options(const std::vector<std::string>& written);

/// Adds --seed.
void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& description);

/// The number of hardware threads, at least 1.
int available_threads();

/// Adds --threads.
void add_thread_option(CLI::App& command, int& threads);

/// The sub-commands that --help lists.
std::vector<const CLI::App*> shown_commands(const CLI::App& app);

/// The sub-command of that name among those that --help lists, or null.
const CLI::App* find_command(const CLI::App& app, const std::string& name);

std::vector<std::string> split(std::string_view list, std::string_view separator);

/// The text between the first `open` and the last `close`; empty where one of them is missing.
std::string between(const std::string& text, char open, char close);

/// The values an option is restricted to, which CLI11 describes as TEXT:{this,that}; empty without a restriction.
std::vector<std::string> allowed_values(const CLI::Option& option);

/// The values a method option is restricted to by the rule "must be one of this, that"; empty for other rules.
std::vector<std::string> allowed_values(std::string_view rule);

}  // namespace stad::cli
