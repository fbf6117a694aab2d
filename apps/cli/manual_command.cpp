#include <cctype>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/version.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

/// Escapes the text for roff. A minus sign is kept as one, so that options can be copied and searched for.
std::string literal(const std::string& text) {
  std::string roff;
  for (const char letter : text) {
    if (letter == '\\')
      roff += "\\e";
    else if (letter == '-')
      roff += "\\-";
    else
      roff += letter;
  }
  return roff.starts_with('.') || roff.starts_with('\'') ? "\\&" + roff : roff;
}

std::string bold(const std::string& text) { return "\\fB" + literal(text) + "\\fR"; }
std::string slanted(const std::string& text) { return "\\fI" + literal(text) + "\\fR"; }
std::string section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : ".SH " + title + "\n" + body;
}

/// The footer of a command: examples ("Example: " and the lines indented below it), and notes.
struct Footer {
  std::vector<std::string> examples;
  std::string notes;
};

Footer read_footer(const std::string& text) {
  constexpr std::string_view kFirst = "Example: ";
  const std::string indent(kFirst.size(), ' ');
  Footer footer;
  for (const auto& line : split(text, "\n")) {
    const bool further = !footer.examples.empty() && line.starts_with(indent);
    if (line.starts_with(kFirst) || further)
      footer.examples.push_back(line.substr(kFirst.size()));
    else
      footer.notes += line.empty() ? ".PP\n" : literal(line) + "\n";
  }
  while (footer.notes.ends_with(".PP\n")) footer.notes.resize(footer.notes.size() - 4);
  return footer;
}

std::string examples_text(const std::vector<std::string>& examples) {
  std::string text;
  for (const auto& example : examples) text += literal(example) + "\n";
  return text.empty() ? "" : ".nf\n" + text + ".fi\n";
}

/// The value of an option as in the synopsis: its allowed values or its type.
std::string value_text(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  std::string values;
  for (const auto& choice : allowed_values(option)) values += (values.empty() ? "" : "|") + bold(choice);
  const std::string type = option.get_type_name();
  return " " + (values.empty() ? slanted(type.substr(0, type.find(':'))) : values);
}

std::string facts_text(const CLI::Option& option) {
  std::vector<std::string> facts;
  if (option.get_required()) facts.emplace_back("required");
  if (const auto range = between(option.get_type_name(), '[', ']'); !range.empty()) facts.push_back("range: " + range);
  if (const auto value = option.get_default_str(); !value.empty()) facts.push_back("default: " + value);
  return facts.empty() ? "" : literal(fmt::format(" ({})", fmt::join(facts, "; ")));
}

std::string option_page_text(const CLI::Option& option) {
  std::string names;
  for (const auto& name : split(option.get_name(false, true), ",")) names += (names.empty() ? "" : ", ") + bold(name);
  return ".TP\n" + names + value_text(option) + "\n" + literal(option.get_description()) + facts_text(option) + "\n";
}

std::string options_page_text(const CLI::App& command) {
  std::string text;
  for (const auto* option : command.get_options())
    if (option->nonpositional()) text += option_page_text(*option);
  return text;
}

using Arguments = std::vector<const CLI::Option*>;
Arguments positionals(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::string arguments_text(const CLI::App& command) {
  std::string text;
  for (const auto* option : positionals(command))
    text += ".TP\n" + slanted(option->get_name(true)) + "\n" + literal(option->get_description()) + "\n";
  return text;
}

std::string commands_text(const CLI::App& app) {
  std::string text;
  for (const auto* command : shown_commands(app))
    text += ".TP\n" + bold("stad-" + command->get_name()) + "(1)\n" + literal(command->get_description()) + "\n";
  return text;
}

std::string synopsis(const std::string& line, const CLI::App& command) {
  std::string text = bold(line) + " [" + slanted("options") + "]";
  if (!shown_commands(command).empty()) text += " " + slanted("command");
  for (const auto* option : positionals(command))
    text += " " + slanted(option->get_name(true)) + (option->get_items_expected_max() > 1 ? " ..." : "");
  return text + "\n";
}

std::string see_also(const CLI::App& app, const CLI::App& command) {
  std::string text = &app == &command ? "" : ".BR stad (1)";
  for (const auto* other : shown_commands(app))
    if (other != &command) text += (text.empty() ? "" : ",\n") + (".BR stad\\-" + other->get_name() + " (1)");
  return text + "\n";
}

constexpr const char* kExitStatus =
    "0 on success; 1 for a failure at run time or of a requested check; 2 for an invalid command line or input, in "
    "which\ncase one line on standard error names the place, the value and the rule.\n";

/// The manual page. It has no date, so that equal programs give equal pages.
std::string page(const CLI::App& app, const CLI::App& command) {
  const bool whole = &app == &command;
  const std::string name = whole ? "stad" : "stad-" + command.get_name();
  std::string summary = command.get_description();
  summary[0] = static_cast<char>(std::tolower(summary[0]));
  if (summary.ends_with('.')) summary.pop_back();
  const Footer footer = read_footer(command.get_footer());
  return ".TH " + literal(name) + R"( 1 "" "stad )" + kVersion + "\"\n" +
         section("NAME", literal(name) + " \\- " + literal(summary) + "\n") +
         section("SYNOPSIS", synopsis(whole ? name : "stad " + command.get_name(), command)) +
         section("COMMANDS", commands_text(command)) + section("ARGUMENTS", arguments_text(command)) +
         section("OPTIONS", options_page_text(command)) + section("NOTES", footer.notes) +
         section("EXIT STATUS", kExitStatus) + section("EXAMPLES", examples_text(footer.examples)) +
         section("SEE ALSO", see_also(app, command));
}

const CLI::App& documented_command(const CLI::App& app, const std::string& name) {
  if (name.empty()) return app;
  if (const auto* command = find_command(app, name)) return *command;
  reject("manual: " + name + " is not a command (see stad --help)");
}

}  // namespace

Command add_manual_command(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  auto* command = app.add_subcommand("manual", "Print the manual page of a command, for man -l -");
  command->group("");  // hidden from --help: only the build of the packages needs it
  command->add_option("COMMAND", *name, "A command; default: stad itself");
  return {command, [&app, name] { write_output(page(app, documented_command(app, *name))); }};
}

}  // namespace stad::cli
