#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/methods.hpp>
#include <stad/version.hpp>

#include "command.hpp"
#include "json_text.hpp"
#include "terminal.hpp"

namespace stad::cli {
namespace {

std::string methods_json() {
  Json list = Json::array();
  for (const auto& method : methods()) {
    Json options = Json::array();
    for (const auto& option : method.options)
      options.push_back({{"name", option.name},
                         {"default", number_or_text(option.default_value)},
                         {"rule", option.rule},
                         {"summary", option.summary}});
    list.push_back({{"name", method.name}, {"summary", method.summary}, {"options", options}});
  }
  return json_text({{"methods", list}, {"version", kVersion}}) + "\n";
}

std::string option_text(const OptionInfo& option) {
  return fmt::format("  {:<28} {}\n", option.name + " = " + option.default_value, option.summary) +
         fmt::format("  {:<28} {}\n", "", toned(option.rule, Tone::kFaint));
}

std::string methods_text() {
  std::string text;
  for (const auto& method : methods()) {
    text += toned(method.name, Tone::kBold) + ": " + method.summary + "\n";
    for (const auto& option : method.options) text += option_text(option);
    text += "\n";
  }
  return text + "Example: stad adapt --method stad-vmf -O init=previous -O window=5 --stream stream.npz\n";
}

}  // namespace

Command add_methods_command(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  auto* command = app.add_subcommand("methods", "List the methods and their options");
  command->add_flag("--json", *json, "Print one JSON object");
  command->footer("Example: stad methods --json");
  return {command, [json] { say(*json ? methods_json() : methods_text()); }};
}

}  // namespace stad::cli
