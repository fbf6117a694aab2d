#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <stad/files.hpp>
#include <stad/methods.hpp>
#include <stad/version.hpp>

#include "cli/adapt_report.hpp"
#include "cli/command.hpp"
#include "cli/source_card.hpp"
#include "common/json_text.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

/// The health and class names of the classifier that a state holds.
struct ClassifierState {
  Health health;
  std::vector<std::string> classes;
};

struct Inspection {
  std::string path;
  FileSummary file;
  std::optional<ClassifierState> classifier;
  std::optional<SourceCard> card;  ///< of files that are usable as a source
};

ClassifierState restore_classifier(const std::string& path, const std::string& source_path) {
  const AdapterState state = need(read_state(path));
  OptionValues options;
  for (const OptionSetting& option : state.options) options.emplace_back(option.name, option.value);
  const auto adapter = need(make_adapter(state.method, need(read_source(source_path)), options));
  if (const auto restored = adapter->restore(state); !restored)
    throw AppError{{restored.error().kind, path + ": " + restored.error().message}};
  return {adapter->health(), adapter->source().class_names()};
}

std::string classifier_text(const ClassifierState& classifier) {
  const Health& health = classifier.health;
  std::string text;
  if (health.guard) text += "guard: " + guard_text(*health.guard) + "\n";
  if (health.dispersion) text += fmt::format("dispersion: {:.1f} degrees between two prototypes\n", *health.dispersion);
  std::vector<std::vector<Cell>> rows{{{"class"}, {"degrees from the source"}}};
  for (std::size_t k = 0; k < health.movement.size(); ++k)
    rows.push_back({{classifier.classes[k]}, {fmt::format("{:.1f}", health.movement[k])}});
  return text + table(rows);
}

bool has_array(const FileSummary& file, std::string_view name) {
  return std::any_of(file.arrays.begin(), file.arrays.end(), [&](const auto& array) { return array.name == name; });
}

bool has_images(const FileSummary& file) {
  return std::any_of(file.arrays.begin(), file.arrays.end(), [](const auto& array) {
    return (array.name == "images" || array.name == "x") && (array.shape.size() == 3 || array.shape.size() == 4);
  });
}

/// The uses of the file: source, stream, images, state.
std::vector<std::string> roles_of(const FileSummary& file) {
  if (file.format == "state") return {"state"};
  if (file.format == "csv") return {"stream"};
  if (file.format == "npy") return {"stream", "source"};
  std::vector<std::string> roles;
  if (has_array(file, "weight")) roles.emplace_back("source");
  if (has_array(file, "features")) roles.emplace_back("stream");
  if (has_images(file)) roles.emplace_back("images");
  return roles;
}

/// None for files that are not a source, or not a valid one.
std::optional<SourceCard> card_of(const FileSummary& file, const std::string& path) {
  if (file.format != "npz" || !has_array(file, "weight")) return std::nullopt;
  const auto source = read_source(path);
  return source ? std::optional(source->card()) : std::nullopt;
}

std::string inspection_json(const Inspection& inspection) {
  Json arrays = Json::array();
  for (const auto& array : inspection.file.arrays)
    arrays.push_back({{"name", array.name}, {"type", array.type}, {"shape", array.shape}});
  Json json{{"file", inspection.path},
            {"format", inspection.file.format},
            {"bytes", inspection.file.bytes},
            {"usable_as", roles_of(inspection.file)},
            {"arrays", arrays}};
  Json facts = Json::object();
  for (const auto& [name, value] : inspection.file.facts) facts[name] = value;
  json["facts"] = facts;
  if (inspection.card) json["card"] = card_json(*inspection.card);
  if (const auto& classifier = inspection.classifier) json["health"] = health_json(classifier->health);
  json["version"] = kVersion;
  return json_text(json) + "\n";
}

std::string inspection_text(const Inspection& inspection) {
  const auto roles = roles_of(inspection.file);
  std::string text =
      fmt::format("{}: {}, {} bytes, {}\n", printable(inspection.path), inspection.file.format, inspection.file.bytes,
                  roles.empty() ? "neither a source (no weight) nor a stream (no features)"
                                : fmt::format("usable as {}", fmt::join(roles, " and ")));
  for (const auto& [name, value] : inspection.file.facts) text += printable(fmt::format("{}: {}", name, value)) + "\n";
  std::vector<std::vector<Cell>> rows{{{"array"}, {"type"}, {"shape"}}};
  for (const auto& array : inspection.file.arrays)
    rows.push_back({{array.name}, {array.type}, {fmt::format("{}", fmt::join(array.shape, " x "))}});
  if (rows.size() > 1) text += table(rows);
  if (inspection.card) text += "card: " + card_fields_text(*inspection.card) + "\n";
  if (inspection.classifier) text += "\n" + classifier_text(*inspection.classifier);
  return text;
}

void inspect(const std::string& path, const std::string& source, bool json) {
  Inspection inspection{path, need(inspect_file(path)), {}, {}};
  inspection.card = card_of(inspection.file, path);
  if (!source.empty()) {
    if (inspection.file.format != "state")
      reject(fmt::format("{}: is not a state, --source is for state files only", path));
    inspection.classifier = restore_classifier(path, source);
  }
  write_output(json ? inspection_json(inspection) : inspection_text(inspection));
}

}  // namespace

Command add_inspect_command(CLI::App& app) {
  struct Request {
    std::string path;
    std::string source;
    bool json = false;
  };
  auto request = std::make_shared<Request>();
  auto* command = app.add_subcommand("inspect", "Describe a source, stream or state file");
  command->add_option("FILE", request->path, "npz, npy, csv or state file")->required();
  command->add_option("--source", request->source,
                      "The head of a state: adds the movement of every class, and who answers for stad-safe and why");
  command->add_flag("--json", request->json, "Print one JSON object");
  command->footer(
      "Example: stad inspect stream.npz\n"
      "         stad inspect days.state --source head.npz");
  return {command, [request] { inspect(request->path, request->source, request->json); }};
}

}  // namespace stad::cli
