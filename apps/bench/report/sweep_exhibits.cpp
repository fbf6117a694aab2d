#include <algorithm>

#include <fmt/format.h>

#include "bench/report/cells.hpp"
#include "bench/report/exhibits.hpp"

namespace stad::cli::bench {
namespace {

/// Whether a logarithmic axis suits the values.
bool spans_magnitudes(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *least > 0 && *most / *least > 10;
}

std::vector<std::string> swept_options(const Results& results) {
  std::vector<std::string> names;
  for (const MethodSpec& method : results.experiment.methods)
    if (method.sweep && std::find(names.begin(), names.end(), method.sweep->name) == names.end())
      names.push_back(method.sweep->name);
  return names;
}

std::vector<const MethodSpec*> methods_sweeping(const Results& results, const std::string& option) {
  std::vector<const MethodSpec*> methods;
  for (const MethodSpec& method : results.experiment.methods)
    if (method.sweep && method.sweep->name == option) methods.push_back(&method);
  return methods;
}

/// All swept values of the methods, in the order of the file.
std::vector<std::string> swept_values(const std::vector<const MethodSpec*>& methods) {
  std::vector<std::string> values;
  for (const MethodSpec* method : methods)
    for (const std::string& value : method->sweep->values)
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  return values;
}

CellKey sweep_key(const MethodSpec& method, const StreamSpec& stream, const SettingSpec& setting,
                  const std::string& value) {
  return {stream.name, setting.name, setting.batch_sizes.front(), method.title, method.sweep->name, value};
}

/// Adds the measured row, and below it the published one if there is any.
void add_sweep_rows(const Results& results, const MethodSpec& method, const StreamSpec& stream,
                    const SettingSpec& setting, const std::vector<std::string>& values, Json& rows) {
  Json measured = Json::array({fmt::format("{}, {}", method.title, heading_of(stream, setting))});
  Json published = Json::array({{{"text", "paper"}, {"tone", "faint"}}});
  bool any_published = false;
  for (const std::string& value : values) {
    const CandidateRuns* candidate = results.shown(sweep_key(method, stream, setting, value));
    measured.push_back(candidate ? Json(figure_text(candidate->figure(pooled_percent))) : Json());
    const PaperFigure* figure = results.experiment.published(
        {stream.name, setting.name, method.title, fmt::format("{} = {}", method.sweep->name, value)});
    any_published = any_published || figure;
    const std::string text = figure ? figure_text({figure->mean, figure->deviation, std::nullopt}) : "–";
    published.push_back({{"text", text}, {"tone", "faint"}});
  }
  rows.push_back(measured);
  if (any_published) rows.push_back(published);
}

void add_sweep_table(const Results& results, const std::string& option, Section& section) {
  const auto methods = methods_sweeping(results, option);
  const auto values = swept_values(methods);
  Json rows = Json::array(), columns = Json::array({option});
  for (const std::string& value : values) columns.push_back(value);
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    for (const MethodSpec* method : methods)
      if (applies(*method, stream, setting)) add_sweep_rows(results, *method, stream, setting, values, rows);
  });
  if (!rows.empty())
    section.tables.push_back({{"caption", fmt::format("Accuracy in % for every value of {}", option)},
                              {"columns", columns},
                              {"rows", rows}});
}

void add_sweep_chart(const Results& results, const std::string& option, const StreamSpec& stream,
                     const SettingSpec& setting, Section& section) {
  Json lines = Json::array();
  std::vector<double> values;
  for (const MethodSpec* method : methods_sweeping(results, option)) {
    Series series(method->title);
    for (const std::string& value : method->sweep->values) {
      const Json x = number_or_text(value);
      const CandidateRuns* candidate = results.shown(sweep_key(*method, stream, setting, value));
      if (!candidate || !x.is_number()) continue;
      values.push_back(x.get<double>());
      series.add(values.back(), candidate->figure(pooled_percent));
    }
    if (!series.empty()) lines.push_back(series.json());
  }
  if (lines.empty()) return;
  section.charts.push_back(accuracy_chart(results, stream, setting,
                                          fmt::format("{}: {}", heading_of(stream, setting), option), option, lines));
  if (spans_magnitudes(values)) section.charts.back()["x_scale"] = "log";
}

}  // namespace

void add_sweep_tables(const Results& results, Section& section) {
  for (const std::string& option : swept_options(results)) add_sweep_table(results, option, section);
}

void add_sweep_charts(const Results& results, Section& section) {
  for (const std::string& option : swept_options(results))
    results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
      add_sweep_chart(results, option, stream, setting, section);
    });
}

}  // namespace stad::cli::bench
