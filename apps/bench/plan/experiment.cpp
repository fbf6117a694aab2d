#include "bench/plan/experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/named_values.hpp"

namespace stad::cli::bench {
namespace {

/// An empty list selects everything.
bool selects(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

constexpr std::pair<const char*, Order> kOrders[] = {
    {"mixed", Order::kShuffled}, {"sorted", Order::kSorted}, {"as-is", Order::kAsIs}};
constexpr std::pair<const char*, Exhibit> kExhibits[] = {
    {"accuracy", Exhibit::kAccuracy},      {"gains", Exhibit::kGains},
    {"time-steps", Exhibit::kTimeSteps},   {"over-time", Exhibit::kOverTime},
    {"batch-sizes", Exhibit::kBatchSizes}, {"sweep", Exhibit::kSweep},
    {"fidelity", Exhibit::kFidelity},      {"health", Exhibit::kHealth},
    {"runtime", Exhibit::kRuntime},        {"projection", Exhibit::kProjection}};

SettingSpec read_setting(TomlTable table) {
  SettingSpec setting;
  setting.place = table.place();
  setting.name = table.text("name");
  setting.order = choose(table.place_of("order"), "order", table.text("order", "mixed"), kOrders);
  for (const auto size : table.integers("batch_size", 1)) setting.batch_sizes.push_back(size);
  if (setting.batch_sizes.empty()) reject_at(table.place_of("batch_size"), "batch_size is missing, must be at least 1");
  for (const auto seed : table.integers("seeds", 0)) setting.seeds.push_back(static_cast<std::uint64_t>(seed));
  if (table.has("seeds") && setting.seeds.empty())
    reject_at(table.place_of("seeds"), "seeds is empty, must name at least one");
  if (setting.seeds.empty()) setting.seeds = {0};
  setting.across_steps = table.flag("across_steps", false);
  setting.streams = table.texts("streams");
  table.finish("[[settings]]");
  return setting;
}

ProjectionSpec read_projection(TomlTable table) {
  ProjectionSpec projection;
  projection.place = table.place();
  projection.stream = table.text("stream");
  projection.setting = table.text("setting");
  projection.title = table.text("method");
  if (!table.has("time")) reject_at(table.place(), "time is missing, must be the time step to draw");
  projection.time = *table.number("time");
  projection.points = table.integer("points", 10).value_or(projection.points);
  projection.perplexity = table.number("perplexity").value_or(projection.perplexity);
  projection.seed = static_cast<std::uint64_t>(table.integer("seed", 0).value_or(0));
  table.finish("[projection]");
  return projection;
}

PaperFigure read_figure(TomlTable& table, const std::string& key) {
  const auto numbers = table.numbers(key);
  if (numbers.empty() || numbers.size() > 2)
    reject_at(table.place_of(key), key + " must be a figure, or a list of the figure and its deviation");
  PaperFigure figure{numbers[0], std::nullopt, table.place_of(key)};
  if (numbers.size() == 2) figure.deviation = numbers[1];
  return figure;
}

/// [paper_figures."stream"."setting"], title = figure or {detail = figure, ...}
void read_paper_figures(TomlTable& root, Experiment& experiment) {
  auto streams = root.table("paper_figures");
  if (!streams) return;
  for (const std::string& stream : streams->keys()) {
    auto settings = *streams->table(stream);
    for (const std::string& setting : settings.keys()) {
      auto titles = *settings.table(setting);
      for (const std::string& title : titles.keys()) {
        if (!titles.is_table(title)) {
          experiment.paper_figures[{stream, setting, title, ""}] = read_figure(titles, title);
          continue;
        }
        auto details = *titles.table(title);
        for (const std::string& detail : details.keys())
          experiment.paper_figures[{stream, setting, title, detail}] = read_figure(details, detail);
      }
    }
  }
}

}  // namespace

const char* name_of(Order order) {
  if (order == Order::kAsIs) return "as-is";
  return order == Order::kSorted ? "sorted" : "mixed";
}

bool Experiment::shows(Exhibit exhibit) const {
  return std::find(exhibits.begin(), exhibits.end(), exhibit) != exhibits.end();
}

const PaperFigure* Experiment::published(const PaperCell& cell) const {
  const auto found = paper_figures.find(cell);
  return found == paper_figures.end() ? nullptr : &found->second;
}

bool applies(const SettingSpec& setting, const StreamSpec& stream) { return selects(setting.streams, stream.name); }

bool applies(const MethodSpec& method, const StreamSpec& stream, const SettingSpec& setting) {
  return applies(setting, stream) && selects(method.streams, stream.name) && selects(method.settings, setting.name);
}

std::string limits_text(const MethodSpec& method, const StreamSpec& stream, const SettingSpec& setting) {
  const RunLimits& limits = method.limits;
  const auto networks = static_cast<Index>(stream.networks());
  const auto orders = static_cast<Index>(setting.seeds.size());
  std::vector<std::string> parts;
  if (limits.count && !stream.corruptions.empty() && *limits.count != stream.count)
    parts.push_back(fmt::format("{} images a severity", *limits.count));
  if (limits.networks && *limits.networks < networks)
    parts.push_back(fmt::format("{} {}{} of {}", *limits.networks, stream.is_simulated() ? "seed" : "network",
                                *limits.networks == 1 ? "" : "s", networks));
  if (limits.orders && *limits.orders < orders)
    parts.push_back(fmt::format("{} order{} of {}", *limits.orders, *limits.orders == 1 ? "" : "s", orders));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Experiment read_experiment(const std::string& path) { return parse_experiment(read_toml_text(path), path); }

Experiment parse_experiment(const std::string& text, const std::string& path) {
  TomlTable root = TomlTable::parse(text, path);
  Experiment experiment;
  experiment.file = path;
  experiment.name = root.text("name", std::filesystem::path(path).stem().string());
  experiment.title = root.text("title", experiment.name);
  experiment.paper = root.text("paper", "");
  experiment.text = root.texts("text");
  for (const std::string& name : root.texts("report"))
    experiment.exhibits.push_back(choose(root.place_of("report"), "report", name, kExhibits));
  if (experiment.exhibits.empty()) experiment.exhibits = {Exhibit::kAccuracy};
  experiment.alone = root.flag("alone", false);
  experiment.through_network = root.flag("through_network", false);
  experiment.time_limit = root.number("time_limit");
  if (experiment.time_limit && *experiment.time_limit < 0)
    reject_at(root.place_of("time_limit"),
              fmt::format("time_limit is {}, must not be negative", *experiment.time_limit));
  for (TomlTable& table : root.tables("streams")) experiment.streams.push_back(read_stream_spec(std::move(table)));
  for (TomlTable& table : root.tables("settings")) experiment.settings.push_back(read_setting(std::move(table)));
  for (TomlTable& table : root.tables("methods")) experiment.methods.push_back(read_method_spec(std::move(table)));
  if (auto table = root.table("projection")) experiment.projection = read_projection(std::move(*table));
  read_paper_figures(root, experiment);
  root.finish("an experiment");
  check_experiment(experiment);
  return experiment;
}

}  // namespace stad::cli::bench
