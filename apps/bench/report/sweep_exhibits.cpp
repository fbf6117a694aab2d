#include <algorithm>

#include <fmt/format.h>

#include "bench/report/exhibits.hpp"
#include "bench/report/figure_column.hpp"
#include "bench/report/series.hpp"

namespace stad::cli::bench {
namespace {

/// Whether values are better told apart by their ratios.
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

/// Every value that some method is swept over, in the order of the file.
std::vector<std::string> values_of(const std::vector<const MethodSpec*>& methods) {
  std::vector<std::string> values;
  for (const MethodSpec* method : methods)
    for (const std::string& value : method->sweep->values)
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  return values;
}

CellKey key_of(const MethodSpec& method, const StreamSpec& stream, const SettingSpec& setting,
               const std::string& value) {
  return {stream.name, setting.name, setting.batch_sizes.front(), method.title, method.sweep->name, value};
}

/// Our row, and the paper's below where it has one.
void add_rows(const Results& results, const MethodSpec& method, const StreamSpec& stream, const SettingSpec& setting,
              const std::vector<std::string>& values, Json& rows) {
  Json ours = Json::array({fmt::format("{}, {}", method.title, heading_of(stream, setting))});
  Json papers = Json::array({{{"text", "paper"}, {"tone", "faint"}}});
  bool published = false;
  for (const std::string& value : values) {
    const Candidate* candidate = results.shown(key_of(method, stream, setting, value));
    ours.push_back(candidate ? Json(figure_text(candidate->figure(pooled_percent))) : Json());
    const PaperFigure* figure = results.experiment.published(
        {stream.name, setting.name, method.title, fmt::format("{} = {}", method.sweep->name, value)});
    published = published || figure;
    const std::string text = figure ? figure_text({figure->mean, figure->deviation, std::nullopt}) : "–";
    papers.push_back({{"text", text}, {"tone", "faint"}});
  }
  rows.push_back(ours);
  if (published) rows.push_back(papers);
}

void add_table(const Results& results, const std::string& option, Section& section) {
  const auto methods = methods_sweeping(results, option);
  const auto values = values_of(methods);
  Json rows = Json::array(), columns = Json::array({option});
  for (const std::string& value : values) columns.push_back(value);
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    for (const MethodSpec* method : methods)
      if (applies(*method, stream, setting)) add_rows(results, *method, stream, setting, values, rows);
  });
  if (!rows.empty())
    section.tables.push_back({{"caption", fmt::format("Accuracy in % for every value of {}", option)},
                              {"columns", columns},
                              {"rows", rows}});
}

void add_chart(const Results& results, const std::string& option, const StreamSpec& stream, const SettingSpec& setting,
               Section& section) {
  Json lines = Json::array();
  std::vector<double> values;
  for (const MethodSpec* method : methods_sweeping(results, option)) {
    Series series(method->title);
    for (const std::string& value : method->sweep->values) {
      const Json x = number_or_text(value);
      const Candidate* candidate = results.shown(key_of(*method, stream, setting, value));
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
  for (const std::string& option : swept_options(results)) add_table(results, option, section);
}

void add_sweep_charts(const Results& results, Section& section) {
  for (const std::string& option : swept_options(results))
    results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
      add_chart(results, option, stream, setting, section);
    });
}

}  // namespace stad::cli::bench
