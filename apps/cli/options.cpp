#include "cli/options.hpp"

#include <algorithm>
#include <charconv>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace stad::cli {
namespace {

/// Rejects what the conversion of CLI11 would silently turn into another seed: -1 and numbers of more than 64 bits.
std::string validate_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (error == std::errc() && stop == end) return "";
  return text + ", must be a whole number from 0 to 18446744073709551615";
}

}  // namespace

void add_method_option(CLI::App& command, std::vector<std::string>& written) {
  command.add_option("-O,--option", written, "An option of the method as key=value; may be repeated")
      ->allow_extra_args(false);
}

OptionValues split_options(const std::vector<std::string>& written) {
  OptionValues values;
  for (const auto& text : written) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      reject(fmt::format("-O {}: must have the form key=value (see stad methods)", text));
    values.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return values;
}

void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& description) {
  command.add_option("--seed", seed, description)->check(CLI::Validator(validate_seed, ""))->capture_default_str();
}

int available_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void add_thread_option(CLI::App& command, int& threads) {
  command.add_option("--threads", threads, "Number of threads (default: one per core); does not change the results")
      ->check(CLI::Range(1, 1024));
}

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const auto* command : shown_commands(app))
    if (command->get_name() == name) return command;
  return nullptr;
}

std::vector<std::string> split(std::string_view list, std::string_view separator) {
  std::vector<std::string> pieces;
  for (std::size_t end = 0; end != std::string_view::npos; list.remove_prefix(end + separator.size())) {
    end = list.find(separator);
    pieces.emplace_back(list.substr(0, end));
    if (end == std::string_view::npos) break;
  }
  return pieces;
}

std::string between(const std::string& text, char open, char close) {
  const auto first = text.find(open);
  const auto last = text.rfind(close);
  return first == std::string::npos || last == std::string::npos ? "" : text.substr(first + 1, last - first - 1);
}

std::vector<std::string> allowed_values(const CLI::Option& option) {
  const std::string list = between(option.get_type_name(), '{', '}');
  return list.empty() ? std::vector<std::string>{} : split(list, ",");
}

std::vector<std::string> allowed_values(std::string_view rule) {
  constexpr std::string_view kStart = "must be one of ";
  return rule.starts_with(kStart) ? split(rule.substr(kStart.size()), ", ") : std::vector<std::string>{};
}

}  // namespace stad::cli
