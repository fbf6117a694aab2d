#include "demo_report.hpp"

#include <cmath>

#include <fmt/format.h>

#include <stad/version.hpp>

#include "terminal.hpp"

namespace stad::cli {
namespace {

constexpr double kNoticeable = 0.0005;  // less is no difference in the digits shown

double gain(const Trial& trial, std::size_t method) { return trial.results[method].pooled - trial.results[0].pooled; }

Tone tone_of(double difference) {
  if (std::abs(difference) < kNoticeable) return Tone::kPlain;
  return difference > 0 ? Tone::kBetter : Tone::kWorse;
}

std::string heading(const Trial& trial) { return trial.drift + (trial.label_shift ? ", sorted" : ""); }

std::string figure(const Trial& trial, std::size_t method) {
  const std::string accuracy = fmt::format("{:.1f}", 100 * trial.results[method].pooled);
  return method == 0 ? accuracy : fmt::format("{} ({:+.1f})", accuracy, 100 * gain(trial, method));
}

std::string options_text(const DemoMethod& method) {
  std::string text;
  for (const auto& [name, value] : method.options) text += fmt::format(" {}={}", name, value);
  return text;
}

Json page_table(const std::vector<Trial>& trials) {
  Json columns{"method"};
  for (const auto& trial : trials) columns.push_back(heading(trial));
  Json rows = Json::array();
  for (std::size_t m = 0; m < demo_methods().size(); ++m) {
    Json row{demo_methods()[m].name};
    for (const auto& trial : trials) {
      const Tone tone = tone_of(gain(trial, m));
      Json cell{{"text", figure(trial, m)}};
      if (tone != Tone::kPlain) cell["tone"] = tone == Tone::kBetter ? "better" : "worse";
      row.push_back(cell);
    }
    rows.push_back(row);
  }
  return {{"caption", "Accuracy in %, pooled over all samples; in brackets the difference to the source in points"},
          {"columns", columns},
          {"rows", rows}};
}

Json page_chart(const Trial& trial) {
  Json series = Json::array();
  for (std::size_t m = 0; m < trial.results.size(); ++m) {
    Json points = Json::array();
    for (const auto& step : trial.results[m].per_step) points.push_back({step.time, 100 * step.accuracy});
    series.push_back({{"name", demo_methods()[m].name}, {"points", points}, {"reference", m == 0}});
  }
  return {
      {"title", trial.drift + " drift"}, {"x_label", "time step"}, {"y_label", "accuracy in %"}, {"series", series}};
}

Json page_section(const std::vector<Trial>& trials, bool label_shift, const char* title, const char* text) {
  Json charts = Json::array();
  for (const auto& trial : trials)
    if (trial.label_shift == label_shift) charts.push_back(page_chart(trial));
  return {{"title", title}, {"text", {text}}, {"charts", charts}};
}

Json method_notes() {
  Json notes = Json::array();
  for (const auto& method : demo_methods())
    notes.push_back(method.name + ":" + (method.options.empty() ? " default options" : options_text(method)));
  return notes;
}

}  // namespace

std::string demo_table(const std::vector<Trial>& trials) {
  std::vector<std::vector<Cell>> rows{{{"accuracy in %"}}};
  for (const auto& trial : trials) rows[0].push_back({heading(trial)});
  for (std::size_t m = 0; m < demo_methods().size(); ++m) {
    rows.push_back({{demo_methods()[m].name}});
    for (const auto& trial : trials) rows.back().push_back({figure(trial, m), tone_of(gain(trial, m))});
  }
  return table(rows);
}

Json demo_json(const std::vector<Trial>& trials, std::uint64_t seed) {
  Json list = Json::array();
  for (const auto& trial : trials) {
    Json results = Json::array();
    for (std::size_t m = 0; m < trial.results.size(); ++m) {
      Json steps = Json::array();
      for (const auto& step : trial.results[m].per_step) steps.push_back(step.accuracy);
      results.push_back({{"method", demo_methods()[m].name},
                         {"pooled", trial.results[m].pooled},
                         {"step_mean", trial.results[m].step_mean},
                         {"per_step", steps}});
    }
    list.push_back({{"drift", trial.drift}, {"label_shift", trial.label_shift}, {"results", results}});
  }
  return {{"seed", seed}, {"trials", list}, {"version", kVersion}};
}

Json demo_page(const std::vector<Trial>& trials, std::uint64_t seed) {
  const auto settings = demo_settings(seed);
  Json result{{"title", "Five methods on six drifting streams"}};
  result["intro"] = {
      fmt::format("A classifier was fitted to embeddings of {} classes in {} dimensions. Then the classes began to "
                  "wander. No method below ever sees a label; the labels only score the answers.",
                  settings.classes, settings.dimension),
      fmt::format("Each stream has {} time steps of {} samples, in batches of 64. The streams are simulated "
                  "(seed {}); real ones differ.",
                  settings.steps, settings.samples_per_step, seed)};
  result["sections"] = {
      {{"title", "Better or worse than the source"},
       {"text", {"“Sorted” streams hold the same samples, ordered by class inside each step."}},
       {"tables", {page_table(trials)}}},
      page_section(trials, false, "Classes mixed", "Every batch holds all classes: only the features shift."),
      page_section(trials, true, "Classes sorted",
                   "Most batches hold one or two classes: the features shift and so do the labels."),
      {{"title", "What was run"}, {"text", Json::array()}, {"list", method_notes()}}};
  result["footer"] = {fmt::format("Made by stad {}: stad demo --seed {}", kVersion, seed)};
  return result;
}

}  // namespace stad::cli
