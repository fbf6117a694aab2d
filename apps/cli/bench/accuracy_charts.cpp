#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "exhibits.hpp"
#include "figure_column.hpp"
#include "series.hpp"

namespace stad::cli::bench {
namespace {

/// Calls draw(stream, setting) for every pair that has data.
void for_each_setting(const Results& results, const std::function<void(const StreamSpec&, const SettingSpec&)>& draw) {
  for (const StreamSpec& stream : results.experiment.streams)
    if (!results.is_missing(stream))
      for (const SettingSpec& setting : results.experiment.settings) draw(stream, setting);
}

/// Mean accuracy of every time step over the candidate's runs.
void add_steps(const Candidate& candidate, Series& series) {
  StepValues values;
  for (std::size_t i = 0; i < candidate.records.size(); ++i)
    for (const StepScore& step : candidate.records[i]->steps) values.add(step.time, candidate.plans[i], step.percent());
  values.fill(series);
}

Json chart_of(const std::string& title, const std::string& x_label, const Json& series) {
  return {
      {"title", title}, {"x_label", x_label}, {"y_label", "accuracy in %"}, {"y_range", {0, 100}}, {"series", series}};
}

/// Whether values are better told apart by their ratios.
bool spans_magnitudes(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *least > 0 && *most / *least > 10;
}

std::vector<const MethodSpec*> swept_methods(const Results& results, const std::string& option) {
  std::vector<const MethodSpec*> methods;
  for (const MethodSpec& method : results.experiment.methods)
    if (method.sweep && method.sweep->name == option) methods.push_back(&method);
  return methods;
}

std::vector<std::string> swept_options(const Results& results) {
  std::vector<std::string> names;
  for (const MethodSpec& method : results.experiment.methods)
    if (method.sweep && std::find(names.begin(), names.end(), method.sweep->name) == names.end())
      names.push_back(method.sweep->name);
  return names;
}

}  // namespace

void add_over_time_charts(const Results& results, Exhibition& section) {
  for_each_setting(results, [&](const StreamSpec& stream, const SettingSpec& setting) {
    for (const Index size : setting.batch_sizes) {
      Json lines = Json::array();
      for (const std::string& title : results.titles()) {
        const Candidate* candidate = results.shown({stream.name, setting.name, size, title, "", ""});
        if (!candidate) continue;
        Series series(title, results.is_source(title));
        add_steps(*candidate, series);
        lines.push_back(series.json());
      }
      if (lines.empty()) continue;
      section.charts.push_back(chart_of(heading_of(stream, setting, size), stream.time_name, lines));
      for (const auto& [stamp, name] : stream.step_names)
        section.charts.back()["x_names"].push_back({number_or_text(stamp), name});
    }
  });
}

void add_batch_size_charts(const Results& results, Exhibition& section) {
  for_each_setting(results, [&](const StreamSpec& stream, const SettingSpec& setting) {
    Json lines = Json::array();
    for (const std::string& title : results.titles()) {
      Series series(title, results.is_source(title));
      for (const Index size : setting.batch_sizes)
        if (const Candidate* candidate = results.shown({stream.name, setting.name, size, title, "", ""}))
          series.add(static_cast<double>(size), candidate->figure(pooled_percent));
      if (!series.empty()) lines.push_back(series.json());
    }
    if (lines.empty()) return;
    section.charts.push_back(chart_of(heading_of(stream, setting), "batch size", lines));
    section.charts.back()["x_scale"] = "log";
  });
}

void add_sweep_charts(const Results& results, Exhibition& section) {
  for (const std::string& option : swept_options(results))
    for_each_setting(results, [&](const StreamSpec& stream, const SettingSpec& setting) {
      Json lines = Json::array();
      std::vector<double> values;
      for (const MethodSpec* method : swept_methods(results, option)) {
        Series series(method->title);
        for (const std::string& value : method->sweep->values) {
          const Json x = number_or_text(value);
          const Candidate* candidate =
              results.shown({stream.name, setting.name, setting.batch_sizes.front(), method->title, option, value});
          if (!candidate || !x.is_number()) continue;
          values.push_back(x.get<double>());
          series.add(x.get<double>(), candidate->figure(pooled_percent));
        }
        if (!series.empty()) lines.push_back(series.json());
      }
      if (lines.empty()) return;
      section.charts.push_back(chart_of(fmt::format("{}: {}", heading_of(stream, setting), option), option, lines));
      if (spans_magnitudes(values)) section.charts.back()["x_scale"] = "log";
    });
}

void add_sweep_tables(const Results& results, Exhibition& section) {
  for (const std::string& option : swept_options(results)) {
    const auto methods = swept_methods(results, option);
    const auto& values = methods.front()->sweep->values;
    Json columns{option};
    for (const std::string& value : values) columns.push_back(value);
    Json rows = Json::array();
    for_each_setting(results, [&](const StreamSpec& stream, const SettingSpec& setting) {
      for (const MethodSpec* method : methods) {
        if (!applies(*method, stream, setting)) continue;
        Json ours{fmt::format("{}, {}", method->title, heading_of(stream, setting))};
        Json papers{{{"text", "paper"}, {"tone", "faint"}}};
        bool published = false;
        for (const std::string& value : values) {
          const Candidate* candidate =
              results.shown({stream.name, setting.name, setting.batch_sizes.front(), method->title, option, value});
          ours.push_back(candidate ? figure_text(candidate->figure(pooled_percent)) : "–");
          const PaperFigure* figure = results.experiment.published(
              {stream.name, setting.name, method->title, fmt::format("{} = {}", option, value)});
          published = published || figure;
          papers.push_back(
              {{"text", figure ? figure_text({figure->mean, figure->deviation, {}}) : "–"}, {"tone", "faint"}});
        }
        rows.push_back(ours);
        if (published) rows.push_back(papers);
      }
    });
    if (!rows.empty())
      section.tables.push_back({{"caption", fmt::format("Accuracy in % for every value of {}", option)},
                                {"columns", columns},
                                {"rows", rows}});
  }
}

}  // namespace stad::cli::bench
