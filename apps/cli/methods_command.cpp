#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/backbone.hpp>
#include <stad/methods.hpp>
#include <stad/version.hpp>

#include "cli/command.hpp"
#include "common/json_text.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

Json method_json(const MethodInfo& method, bool needs_network) {
  Json options = Json::array();
  for (const auto& option : method.options)
    options.push_back({{"name", option.name},
                       {"default", number_or_text(option.default_value)},
                       {"rule", option.rule},
                       {"summary", option.summary}});
  return {{"name", method.name}, {"summary", method.summary}, {"needs_network", needs_network}, {"options", options}};
}

std::string methods_json() {
  Json list = Json::array();
  for (const auto& method : methods()) list.push_back(method_json(method, false));
  for (const auto& method : network_methods()) list.push_back(method_json(method, true));
  return json_text({{"methods", list}, {"torch", find_torch().ok()}, {"version", kVersion}}) + "\n";
}

std::string method_option_text(const OptionInfo& option) {
  return fmt::format("  {:<28} {}\n", option.name + " = " + option.default_value, option.summary) +
         fmt::format("  {:<28} {}\n", "", toned(option.rule, Tone::kFaint));
}

std::string method_list_text(const std::vector<MethodInfo>& list) {
  std::string text;
  for (const auto& method : list) {
    text += toned(method.name, Tone::kBold) + ": " + method.summary + "\n";
    for (const auto& option : method.options) text += method_option_text(option);
    text += "\n";
  }
  return text;
}

std::string methods_text() {
  const auto torch = find_torch();
  return method_list_text(methods()) + "These adapt the network itself and need --model and --images" +
         (torch ? "" : ", which this installation cannot run:\n" + torch.error().message) + ".\n\n" +
         method_list_text(network_methods()) +
         "Example: stad adapt --method stad-vmf -O init=previous -O window=5 --stream stream.npz\n";
}

}  // namespace

Command add_methods_command(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  auto* command = app.add_subcommand("methods", "List the methods and their options");
  command->add_flag("--json", *json, "Print one JSON object");
  command->footer("Example: stad methods --json");
  return {command, [json] { write_output(*json ? methods_json() : methods_text()); }};
}

}  // namespace stad::cli
