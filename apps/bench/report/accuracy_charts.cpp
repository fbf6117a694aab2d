#include "bench/report/exhibits.hpp"
#include "bench/report/series.hpp"

namespace stad::cli::bench {
namespace {

Json time_lines(const Results& results, const StreamSpec& stream, const SettingSpec& setting, Index batch_size) {
  Json lines = Json::array();
  for (const std::string& title : results.titles()) {
    const Candidate* candidate = results.shown({stream.name, setting.name, batch_size, title, "", ""});
    if (candidate) lines.push_back(accuracy_line(title, *candidate, results.is_source(title)));
  }
  return lines;
}

Json size_lines(const Results& results, const StreamSpec& stream, const SettingSpec& setting) {
  Json lines = Json::array();
  for (const std::string& title : results.titles()) {
    Series series(title, results.is_source(title));
    for (const Index size : setting.batch_sizes)
      if (const Candidate* candidate = results.shown({stream.name, setting.name, size, title, "", ""}))
        series.add(static_cast<double>(size), candidate->figure(pooled_percent));
    if (!series.empty()) lines.push_back(series.json());
  }
  return lines;
}

}  // namespace

void add_over_time_charts(const Results& results, Section& section) {
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    for (const Index size : setting.batch_sizes) {
      const Json lines = time_lines(results, stream, setting, size);
      if (lines.empty()) continue;
      section.charts.push_back(
          accuracy_chart(results, stream, setting, heading_of(stream, setting, size), stream.time_name, lines));
      for (const auto& [stamp, name] : stream.step_names)
        section.charts.back()["x_names"].push_back(Json::array({number_or_text(stamp), name}));
    }
  });
}

void add_batch_size_charts(const Results& results, Section& section) {
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    const Json lines = size_lines(results, stream, setting);
    if (lines.empty()) return;
    section.charts.push_back(
        accuracy_chart(results, stream, setting, heading_of(stream, setting), "batch size", lines));
    section.charts.back()["x_scale"] = "log";
  });
}

}  // namespace stad::cli::bench
