#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <stad/backbone.hpp>
#include <stad/eval/corruption.hpp>
#include <stad/methods.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

/// A completion of the last word, and the summary that the shell shows beside it.
struct CompletionCandidate {
  std::string text;
  std::string summary;
};
using Completions = std::vector<CompletionCandidate>;
using Words = std::vector<std::string>;

std::vector<MethodInfo> every_method() {
  auto list = methods();
  for (const auto& method : network_methods()) list.push_back(method);
  return list;
}

Completions method_names() {
  Completions names;
  for (const auto& method : every_method()) names.push_back({method.name, method.summary});
  return names;
}

Completions corruption_names() {
  Completions names;
  for (const auto name : corruptions()) names.push_back({std::string(name), ""});
  names.push_back({"all", "all of them"});
  return names;
}

/// The value written for an option; empty without one.
std::string written_value(const Words& words, const std::string& option) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with(option + "=")) return words[i].substr(option.size() + 1);
  }
  return "";
}

/// "key=" for every option of the method written before, or of all methods; after "key=" its allowed values.
Completions method_options(const Words& words) {
  const std::string& last = words.back();
  const std::string chosen = written_value(words, "--method");
  Completions list;
  for (const auto& method : every_method()) {
    if (!chosen.empty() && method.name != chosen) continue;
    for (const auto& option : method.options) {
      const std::string key = option.name + "=";
      if (!last.starts_with(key))
        list.push_back({key, option.summary + ", " + option.rule});
      else
        for (const auto& value : allowed_values(option.rule)) list.push_back({key + value, ""});
    }
  }
  return list;
}

Completions values_of(const CLI::Option& option, const Words& words) {
  if (option.check_name("--method")) return method_names();
  if (option.check_name("--option")) return method_options(words);
  if (option.check_name("--corruption")) return corruption_names();
  Completions list;
  for (const auto& value : allowed_values(option)) list.push_back({value, ""});
  return list;
}

Completions option_names(const CLI::App& command) {
  Completions list;
  for (const auto* option : command.get_options())
    if (option->nonpositional()) list.push_back({option->get_name(), option->get_description()});
  return list;
}

Completions sub_commands(const CLI::App& app) {
  Completions list;
  for (const auto* command : shown_commands(app)) list.push_back({command->get_name(), command->get_description()});
  return list;
}

/// Completions of `--name=value` written as one word.
Completions assigned_values(const CLI::App& command, const Words& words) {
  const std::string& last = words.back();
  const auto equals = last.find('=');
  const auto* option = command.get_option_no_throw(last.substr(0, equals));
  if (!option) return {};
  Words before = words;
  before.back() = last.substr(equals + 1);
  Completions list = values_of(*option, before);
  for (auto& candidate : list) candidate.text.insert(0, last, 0, equals + 1);
  return list;
}

Completions candidates(const CLI::App& app, const Words& words) {
  const std::string& last = words.back();
  if (words.size() == 1) return last.starts_with('-') ? option_names(app) : sub_commands(app);
  const auto* command = find_command(app, words[0]);
  if (!command) return {};
  if (last.starts_with("--") && last.find('=') != std::string::npos) return assigned_values(*command, words);
  const auto* before = command->get_option_no_throw(words[words.size() - 2]);
  if (before && before->nonpositional() && before->get_items_expected_max() > 0) return values_of(*before, words);
  // The options of separate programs are not known here; the word after one of them may be a file.
  if (command->get_prefix_command() && words.size() > 2 && words[words.size() - 2].starts_with('-')) return {};
  const auto arguments = command->get_options([](const CLI::Option* o) { return o->get_positional(); });
  if (last.starts_with('-') || (last.empty() && arguments.empty())) return option_names(*command);
  return arguments.empty() || words.size() > 2 ? Completions{} : values_of(*arguments.front(), words);
}

}  // namespace

void complete(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) return;
  std::string text;
  std::vector<std::string> seen;
  for (const auto& [word, summary] : candidates(app, words)) {
    if (!word.starts_with(words.back()) || std::find(seen.begin(), seen.end(), word) != seen.end()) continue;
    seen.push_back(word);
    text.append(word).append(1, '\t').append(summary).append(1, '\n');
  }
  write_output(text);
}

}  // namespace stad::cli
