#include "bench/report/bench_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <stad/version.hpp>

#include "bench/plan/provenance.hpp"
#include "bench/report/exhibits.hpp"
#include "bench/report/gains.hpp"
#include "bench/report/warnings.hpp"
#include "common/terminal.hpp"

namespace stad::cli::bench {
namespace {

Json figure_json(const Experiment& experiment, const CellKey& key, const ResultCell& cell, Protocol protocol) {
  const CandidateRuns& candidate = *cell.chosen(protocol);
  Json json{{"experiment", experiment.name},
            {"stream", key.stream},
            {"setting", key.setting},
            {"batch_size", key.batch_size},
            {"title", key.title},
            {"method", cell.method->name},
            {"sweep", key.sweep_option.empty() ? Json() : Json{{key.sweep_option, number_or_text(key.sweep_value)}}},
            {"protocol", name_of(protocol)},
            {"choice", candidate.choice},
            {"options", options_json(candidate.plans.front()->resolved)},
            {"runs", candidate.plans.size()},
            {"failure", candidate.failure()}};
  const Figure figure = candidate.failure().empty() ? candidate.figure(pooled_percent) : Figure{};
  const auto fraction = [&](std::optional<double> percent) {
    return percent && candidate.failure().empty() ? Json(*percent / 100) : Json();
  };
  json["accuracy_pooled"] = fraction(figure.mean);
  json["accuracy_step_mean"] = fraction(candidate.failure().empty() ? candidate.figure(step_mean_percent).mean : 0);
  json["deviation"] = fraction(figure.deviation);
  json["worst_tenth"] = fraction(figure.worst_tenth);
  if (experiment.shows(Exhibit::kHealth)) json["warnings"] = warnings_json(candidate);
  const std::string detail = key.sweep_option.empty() ? "" : fmt::format("{} = {}", key.sweep_option, key.sweep_value);
  const PaperFigure* published = experiment.published({key.stream, key.setting, key.title, detail});
  const bool accuracy = published && !experiment.shows(Exhibit::kRuntime);
  json["paper"] = accuracy ? Json(published->mean / 100) : Json();
  return json;
}

Tone tone_of(SourceComparison comparison) {
  if (comparison == SourceComparison::kNone) return Tone::kPlain;
  return comparison == SourceComparison::kBetter ? Tone::kBetter : Tone::kWorse;
}

std::string block_table(const Results& results, const AccuracyBlock& block) {
  std::vector<std::vector<cli::Cell>> rows{{{block.heading}}};
  for (const FigureColumn& column : block.columns) rows[0].push_back({column.title});
  const auto titles = results.titles();
  for (std::size_t r = 0; r < titles.size(); ++r) {
    rows.push_back({{titles[r]}});
    for (const FigureColumn& column : block.columns) {
      const FigureEntry& entry = column.entries[r];
      rows.back().push_back({entry.figure   ? figure_text(*entry.figure)
                             : entry.failed ? "failed"
                                            : "",
                             tone_of(compare_with_source(column, r))});
    }
  }
  return table(rows);
}

void add_exhibit(Exhibit exhibit, const Results& results, Section& section) {
  switch (exhibit) {
    case Exhibit::kAccuracy:
      return add_accuracy_table(results, section);
    case Exhibit::kGains:
      return add_gain_tables(results, section);
    case Exhibit::kTimeSteps:
      return add_time_step_tables(results, section);
    case Exhibit::kOverTime:
      return add_over_time_charts(results, section);
    case Exhibit::kBatchSizes:
      return add_batch_size_charts(results, section);
    case Exhibit::kSweep:
      add_sweep_tables(results, section);
      return add_sweep_charts(results, section);
    case Exhibit::kFidelity:
      return add_fidelity_charts(results, section);
    case Exhibit::kHealth:
      add_warning_table(results, section);
      return add_health_charts(results, section);
    case Exhibit::kRuntime:
      return add_runtime_table(results, section);
    case Exhibit::kProjection:
      return add_projection(results, section);
  }
}

std::string notice_of(const MissingStream& missing) {
  const StreamSpec& stream = *missing.stream;
  if (missing.file.empty()) return fmt::format("Not run on {}: {}.", stream.name, missing.reason);
  return fmt::format("Not run on {}: {} is not in the data directory. {}", stream.name, stream.all_files().front(),
                     stream.about);
}

/// The missing files of the experiment and how to obtain them.
std::string notice_of(const Experiment& experiment, const Plan& plan) {
  std::vector<std::string> notices;
  for (const MissingStream& missing : plan.missing)
    if (missing.experiment == &experiment) notices.push_back(notice_of(missing));
  return fmt::format("{}", fmt::join(notices, " "));
}

Json section_of(const Experiment& experiment, const Plan& plan, const Outcome& outcome) {
  const Cells cells(experiment, plan, outcome);
  const Results results{experiment, plan, cells};
  Section parts;
  for (const Exhibit exhibit : experiment.exhibits) add_exhibit(exhibit, results, parts);
  Json section{{"title", experiment.title}, {"text", experiment.text}};
  if (!experiment.paper.empty()) section["text"].push_back("In the paper: " + experiment.paper + ".");
  if (const std::string notice = notice_of(experiment, plan); !notice.empty()) section["notice"] = notice;
  section["tables"] = parts.tables;
  section["charts"] = parts.charts;
  return section;
}

Json introduction(const Plan& plan, const Outcome& outcome) {
  const bool oracle = std::any_of(plan.runs.begin(), plan.runs.end(),
                                  [](const PlannedRun& run) { return run.method->name == "oracle"; });
  Json text{fmt::format(
      "{}; labels only score the predictions. Where a method has options to choose, there are two figures: best with "
      "labels takes the most accurate options for each stream, as in the paper, which is impossible without labels; "
      "label-free is one fixed set of options for all streams.",
      oracle ? "No method sees a label except the oracle, which is a reference for comparison"
             : "No method sees a label")};
  text.push_back(fmt::format("{} distinct runs, {} of them failed. stad {} on {}.",
                             outcome.counts.run + outcome.counts.reused, outcome.counts.failed, kVersion,
                             machine_name()));
  if (!plan.missing.empty())
    text.push_back(fmt::format("{} streams are missing and were skipped; each section names the missing files.",
                               plan.missing.size()));
  return text;
}

}  // namespace

Json bench_summary(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome) {
  Json cells = Json::array(), gains = Json::array(), missing = Json::array();
  for (const Experiment& experiment : experiments) {
    const Cells own(experiment, plan, outcome);
    for (const auto& [key, cell] : own.all())
      for (const Protocol protocol : cell.protocols()) cells.push_back(figure_json(experiment, key, cell, protocol));
    if (experiment.shows(Exhibit::kGains)) gains.push_back(gains_json({experiment, plan, own}));
  }
  for (const MissingStream& one : plan.missing)
    missing.push_back({{"experiment", one.experiment->name},
                       {"stream", one.stream->name},
                       {"file", one.file},
                       {"reason", one.reason}});
  return {{"cells", cells},
          {"gains", gains},
          {"missing", missing},
          {"runs", outcome.counts.run},
          {"reused", outcome.counts.reused},
          {"failed", outcome.counts.failed},
          {"version", kVersion},
          {"machine", machine_name()}};
}

std::string bench_tables(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome) {
  std::string text;
  for (const Experiment& experiment : experiments) {
    const bool tabulated =
        experiment.shows(Exhibit::kAccuracy) || experiment.shows(Exhibit::kGains) || experiment.shows(Exhibit::kHealth);
    if (!tabulated) continue;
    const Cells cells(experiment, plan, outcome);
    const Results results{experiment, plan, cells};
    text += toned(printable(experiment.title), Tone::kBold) + "\n";
    if (experiment.shows(Exhibit::kAccuracy))
      for (const AccuracyBlock& block : accuracy_blocks(results)) text += block_table(results, block) + "\n";
    if (experiment.shows(Exhibit::kGains)) text += gains_text(results) + "\n";
    if (experiment.shows(Exhibit::kHealth)) text += warnings_text(results) + "\n";
  }
  return text;
}

Json bench_page(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome) {
  Json page{{"title", experiments.size() == 1 ? experiments.front().title : "Test-time adaptation, measured"},
            {"intro", introduction(plan, outcome)},
            {"sections", Json::array()},
            {"footer",
             {"Every run with its resolved options: results.json and results.csv beside this page.",
              fmt::format("Made by stad {}: stad bench", kVersion)}}};
  for (const Experiment& experiment : experiments) page["sections"].push_back(section_of(experiment, plan, outcome));
  return page;
}

}  // namespace stad::cli::bench
