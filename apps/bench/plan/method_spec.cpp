#include "bench/plan/method_spec.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <stad/methods.hpp>

#include "common/named_values.hpp"

namespace stad::cli::bench {
namespace {

constexpr std::pair<const char*, Protocol> kProtocols[] = {{"label-free", Protocol::kLabelFree},
                                                           {"best with labels", Protocol::kBestWithLabels}};

/// Reads a table in which every key is an option.
std::vector<OptionRange> read_ranges(TomlTable& owner, const std::string& key) {
  std::vector<OptionRange> ranges;
  auto table = owner.table(key);
  if (!table) return ranges;
  for (const std::string& name : table->keys()) {
    ranges.push_back({name, table->values(name), table->place_of(name)});
    if (ranges.back().values.empty())
      reject_at(ranges.back().place, fmt::format("{} {} is empty, must have at least one value", key, name));
  }
  if (ranges.empty() && key != "options")
    reject_at(owner.place_of(key), fmt::format("{} is empty, must have at least one option", key));
  return ranges;
}

void check_set_once(const MethodSpec& method) {
  std::set<std::string> seen;
  for (const OptionRange& range : method.ranges())
    if (!seen.insert(range.name).second)
      reject_at(range.place, fmt::format("{} is set in two of options, grid and sweep, must be in one", range.name));
}

void read_options(TomlTable& table, MethodSpec& method) {
  method.options = read_ranges(table, "options");
  for (const OptionRange& option : method.options)
    if (option.values.size() != 1) reject_at(option.place, option.name + " is a list, must be one value; see grid");
  method.grid = read_ranges(table, "grid");
  const auto sweep = read_ranges(table, "sweep");
  if (sweep.size() > 1) reject_at(sweep[1].place, "sweep has a second option, must have one");
  if (!sweep.empty()) method.sweep = sweep.front();
  if (table.has("protocol") && !method.grid.empty())
    reject_at(table.place_of("protocol"), "protocol excludes grid, which is scored by both protocols");
  method.protocol = choose(table.place_of("protocol"), "protocol", table.text("protocol", "label-free"), kProtocols);
  check_set_once(method);
}

void read_labels(TomlTable& table, MethodSpec& method) {
  method.labels = table.integer("labels", 1);
  if (method.labels && method.name != "stad-safe")
    reject_at(table.place_of("labels"), "labels requires the method stad-safe, which requests them");
  if (table.has("label_delay") && !method.labels)
    reject_at(table.place_of("label_delay"), "label_delay requires labels");
  method.label_delay = table.integer("label_delay", 0).value_or(1);
}

bool is_network_method(const std::string& name) {
  const auto all = network_methods();
  return std::any_of(all.begin(), all.end(), [&](const MethodInfo& info) { return info.name == name; });
}

void add_first_values(const std::vector<OptionRange>& ranges, OptionValues& values) {
  for (const OptionRange& range : ranges) values.emplace_back(range.name, range.values.front());
}

}  // namespace

const char* name_of(Protocol protocol) { return protocol == Protocol::kLabelFree ? "label-free" : "best with labels"; }

std::vector<OptionRange> MethodSpec::ranges() const {
  auto all = options;
  all.insert(all.end(), grid.begin(), grid.end());
  if (sweep) all.push_back(*sweep);
  return all;
}

MethodSpec read_method_spec(TomlTable table) {
  MethodSpec method;
  method.place = table.place();
  method.name = table.text("name", "");
  method.adapts_network = is_network_method(method.name);
  method.title = method.name.empty() ? table.text("title") : table.text("title", method.name);
  method.group = table.text("group", "");
  read_options(table, method);
  method.streams = table.texts("streams");
  method.settings = table.texts("settings");
  method.limits = {table.integer("count", 1), table.integer("networks", 1), table.integer("orders", 1), {}};
  for (const auto size : table.integers("batch_size", 1)) method.limits.batch_sizes.push_back(size);
  read_labels(table, method);
  table.finish("[[methods]]");
  return method;
}

std::vector<GridPoint> grid_points(const MethodSpec& method) {
  OptionValues own;
  add_first_values(method.options, own);
  std::vector<GridPoint> points{{"", own}};
  for (const OptionRange& range : method.grid) {
    std::vector<GridPoint> longer;
    for (const GridPoint& point : points)
      for (const std::string& value : range.values) {
        longer.push_back(point);
        longer.back().choice += fmt::format("{}{} = {}", point.choice.empty() ? "" : ", ", range.name, value);
        longer.back().options.emplace_back(range.name, value);
      }
    points = std::move(longer);
  }
  if (!method.grid.empty()) points.insert(points.begin(), {"", {}});
  return points;
}

}  // namespace stad::cli::bench
