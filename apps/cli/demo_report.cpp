#include "cli/demo.hpp"

#include <cmath>

#include <fmt/format.h>

#include <stad/methods.hpp>
#include <stad/version.hpp>

#include "common/terminal.hpp"

namespace stad::cli {
namespace {

constexpr std::size_t kGuarded = 1;     // stad-safe without labels, among demo_methods()
constexpr double kNoticeable = 0.0005;  // smaller differences do not show in the printed digits

double gain(const DemoTrial& trial, std::size_t method) {
  return trial.results[method].pooled - trial.results[0].pooled;
}

Tone tone_of(double difference) {
  if (std::abs(difference) < kNoticeable) return Tone::kPlain;
  return difference > 0 ? Tone::kBetter : Tone::kWorse;
}

std::string figure(const DemoTrial& trial, std::size_t method) {
  const std::string accuracy = fmt::format("{:.1f}", 100 * trial.results[method].pooled);
  return method == 0 ? accuracy : fmt::format("{} ({:+.1f})", accuracy, 100 * gain(trial, method));
}

/// The trials with or without label shift: the columns of a table, the charts of a section.
std::vector<DemoTrial> with_label_shift(const std::vector<DemoTrial>& trials, bool label_shift) {
  std::vector<DemoTrial> chosen;
  for (const auto& trial : trials)
    if (trial.label_shift == label_shift) chosen.push_back(trial);
  return chosen;
}

Json page_cell(const DemoTrial& trial, std::size_t method) {
  const Tone tone = tone_of(gain(trial, method));
  Json cell{{"text", figure(trial, method)}};
  if (tone != Tone::kPlain) cell["tone"] = tone == Tone::kBetter ? "better" : "worse";
  return cell;
}

Json page_table(const std::vector<DemoTrial>& trials) {
  Json columns = Json::array({"drift"});
  for (const auto& trial : trials) columns.push_back(trial.drift);
  Json rows = Json::array();
  for (std::size_t m = 0; m < demo_methods().size(); ++m) {
    Json row = Json::array({demo_methods()[m].title});
    for (const auto& trial : trials) row.push_back(page_cell(trial, m));
    rows.push_back(row);
  }
  return {{"caption", "Accuracy in % over all samples; in brackets, points above or below the source"},
          {"columns", columns},
          {"rows", rows}};
}

std::string drift_text(const DemoTrial& trial) { return (trial.drift == "none" ? "no" : trial.drift) + " drift"; }

Json page_chart(const DemoTrial& trial) {
  Json series = Json::array();
  for (std::size_t m = 0; m < trial.results.size(); ++m) {
    Json points = Json::array();
    for (const auto& step : trial.results[m].per_step) points.push_back({step.time, 100 * step.accuracy});
    series.push_back({{"name", demo_methods()[m].title}, {"points", points}, {"reference", m == 0}});
  }
  return {{"title", drift_text(trial)}, {"x_label", "time step"}, {"y_label", "accuracy in %"}, {"series", series}};
}

Json page_section(const std::vector<DemoTrial>& trials, const char* title, const char* text) {
  Json charts = Json::array();
  for (const auto& trial : trials) charts.push_back(page_chart(trial));
  return {{"title", title}, {"text", {text}}, {"tables", {page_table(trials)}}, {"charts", charts}};
}

std::string stream_name(const DemoTrial& trial) {
  return drift_text(trial) + ", " + (trial.label_shift ? "classes sorted" : "classes mixed");
}

/// The accuracy of stad-safe beside the label-free quantities.
Json health_chart(const DemoTrial& trial) {
  Json confidence = Json::array(), chains = Json::array(), flipped = Json::array();
  for (const StepHealth& step : trial.health) {
    confidence.push_back({step.time, 100 * step.health.confidence});
    chains.push_back({step.time, step.health.guard->chains ? 100 : 0});
    flipped.push_back({step.time, 100 * step.health.flip_rate()});
  }
  Json accuracy = Json::array();
  for (const auto& step : trial.results[kGuarded].per_step) accuracy.push_back({step.time, 100 * step.accuracy});
  return {{"title", stream_name(trial)},
          {"x_label", "time step"},
          {"y_label", "%"},
          {"y_range", {0, 100}},
          {"series",
           {{{"name", "accuracy"}, {"points", accuracy}, {"reference", true}},
            {{"name", "mean confidence"}, {"points", confidence}},
            {{"name", "differs from the source"}, {"points", flipped}},
            {{"name", "label chains answer"}, {"points", chains}}}}};
}

/// The warning levels of the time steps of every stream against their labels.
Json warning_table(const std::vector<DemoTrial>& trials) {
  Json rows = Json::array();
  for (const auto& trial : trials) {
    const WarningRecord record = trial.warnings.value_or(WarningRecord{});
    Json row = Json::array({stream_name(trial)});
    for (const Index count : {record.fine, record.watch, record.act, record.missed, record.false_alarms})
      row.push_back(fmt::to_string(count));
    rows.push_back(row);
  }
  return {{"caption",
           "Time steps by warning level. Missed: called fine although more than 10 points of the card's accuracy were "
           "lost. False alarms: called act although nothing was lost."},
          {"columns", {"stream", "fine", "watch", "act", "missed", "false alarms"}},
          {"rows", rows}};
}

Json health_section(const std::vector<DemoTrial>& trials) {
  Json charts = Json::array();
  for (const auto& trial : trials) charts.push_back(health_chart(trial));
  return {{"title", "Monitoring without labels"},
          {"text",
           {"In deployment the accuracy is not measured. stad-safe reports who answers (the source, or label chains "
            "where labels persist), how often its answers differ from the source's, and a warning level of lost "
            "accuracy: fine, watch or act. The level is about the source; where label chains answer, the answers may "
            "have lost less.",
            "The level is sometimes wrong. On recorded data sets left out when its thresholds were chosen, of steps "
            "called fine 3.8 % had lost more than 10 points, of steps called act 3.5 % had lost nothing, and steps "
            "that lost more than 10 points were called act in 79 %."}},
          {"tables", {warning_table(trials)}},
          {"charts", charts}};
}

/// All options of the method: the defaults, replaced by those of the demo.
std::string method_note(const MethodInfo& info, const DemoMethod& method) {
  std::string note = method.title + ": " + info.summary;
  for (const auto& option : info.options) {
    std::string value = option.default_value;
    for (const auto& [name, given] : method.options)
      if (name == option.name) value = given;
    note += fmt::format("{}{} = {}", &option == &info.options.front() ? "; " : ", ", option.name, value);
  }
  return note;
}

Json page_methods() {
  Json notes = Json::array();
  for (const auto& info : methods())
    for (const auto& method : demo_methods())
      if (method.name == info.name) notes.push_back(method_note(info, method));
  return {
      {"title", "What was run"},
      {"text",
       {"Every method with its default options, stad-safe once more with 50 labels, and stad-vmf once more with soft "
        "assignments (kappa_ems = 10, "
        "probabilities = posterior), which suit temporally correlated labels. Other options give other results: with "
        "init = previous, stad-vmf follows slow drift more closely and diverges on rapid or sorted streams."}},
      {"list", notes}};
}

Json changed_options(const DemoMethod& method) {
  Json options = Json::object();
  for (const auto& [name, value] : method.options) options[name] = value;
  return options;
}

}  // namespace

std::string demo_table(const std::vector<DemoTrial>& trials, bool label_shift) {
  const auto chosen = with_label_shift(trials, label_shift);
  std::vector<std::vector<Cell>> rows{{{label_shift ? "classes sorted" : "classes mixed"}}};
  for (const auto& trial : chosen) rows[0].push_back({trial.drift});
  for (std::size_t m = 0; m < demo_methods().size(); ++m) {
    rows.push_back({{demo_methods()[m].title}});
    for (const auto& trial : chosen) rows.back().push_back({figure(trial, m), tone_of(gain(trial, m))});
  }
  return table(rows);
}

Json demo_json(const std::vector<DemoTrial>& trials, std::uint64_t seed) {
  Json list = Json::array();
  for (const auto& trial : trials) {
    Json results = Json::array();
    for (std::size_t m = 0; m < trial.results.size(); ++m) {
      Json steps = Json::array();
      for (const auto& step : trial.results[m].per_step) steps.push_back(step.accuracy);
      results.push_back({{"title", demo_methods()[m].title},
                         {"method", demo_methods()[m].name},
                         {"options", changed_options(demo_methods()[m])},
                         {"pooled", trial.results[m].pooled},
                         {"step_mean", trial.results[m].step_mean},
                         {"per_step", steps}});
    }
    list.push_back({{"drift", trial.drift}, {"label_shift", trial.label_shift}, {"results", results}});
  }
  return {{"seed", seed}, {"trials", list}, {"version", kVersion}};
}

Json demo_page(const std::vector<DemoTrial>& trials, std::uint64_t seed) {
  const auto settings = demo_settings(seed);
  Json result{{"title", "Six methods on drifting and harmless streams"}};
  result["intro"] = {
      fmt::format("A classifier was fitted to embeddings of {} classes in {} dimensions. Then the classes drift, "
                  "except in one stream. Only one method sees labels: stad-safe with a budget of 50, which requests "
                  "them where its candidates differ from it and lets a candidate answer once they prove it better.",
                  settings.classes, settings.dimension),
      fmt::format("Each stream has {} time steps of {} samples, in batches of 64. The streams are simulated "
                  "(seed {}); real ones differ.",
                  settings.steps, settings.samples_per_step, seed)};
  result["sections"] = {
      page_section(with_label_shift(trials, false), "Classes mixed",
                   "Every batch holds all classes: only the features shift. Without labels stad-safe answers exactly "
                   "as the source does, because labels do not persist from row to row. 50 labels prove large gains, as "
                   "under rapid drift, and leave smaller ones unproved. The other methods adapt to the shift, and gain "
                   "or lose by it."),
      page_section(with_label_shift(trials, true), "Classes sorted",
                   "The same samples, ordered by class inside each time step. Most batches hold one or two classes, "
                   "which misleads methods that assume all classes in every batch. Labels persist, so that the label "
                   "chains of stad-safe answer and gain: a row's neighbours tell its class."),
      health_section(trials), page_methods()};
  result["footer"] = {fmt::format("Made by stad {}: stad demo --seed {}", kVersion, seed)};
  return result;
}

}  // namespace stad::cli
