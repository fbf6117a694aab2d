#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

/// What the command line says about itself, taken apart: for completion and the manual, so that neither says it again.
namespace stad::cli {

/// The sub-commands that --help lists.
inline std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

inline std::vector<std::string> split(std::string_view list, std::string_view separator) {
  std::vector<std::string> pieces;
  for (std::size_t end = 0; end != std::string_view::npos; list.remove_prefix(end + separator.size())) {
    end = list.find(separator);
    pieces.emplace_back(list.substr(0, end));
    if (end == std::string_view::npos) break;
  }
  return pieces;
}

/// The text between the first `open` and the last `close`, or nothing.
inline std::string between(const std::string& text, char open, char close) {
  const auto first = text.find(open);
  const auto last = text.rfind(close);
  return first == std::string::npos || last == std::string::npos ? "" : text.substr(first + 1, last - first - 1);
}

/// The values an option is checked against: CLI11 writes TEXT:{this,that} for them.
inline std::vector<std::string> choices(const CLI::Option& option) {
  const std::string list = between(option.get_type_name(), '{', '}');
  return list.empty() ? std::vector<std::string>{} : split(list, ",");
}

/// The same of an option of a method: its rule is "must be one of this, that".
inline std::vector<std::string> one_of(std::string_view rule) {
  constexpr std::string_view kStart = "must be one of ";
  return rule.starts_with(kStart) ? split(rule.substr(kStart.size()), ", ") : std::vector<std::string>{};
}

}  // namespace stad::cli
