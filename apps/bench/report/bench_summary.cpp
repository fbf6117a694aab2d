#include "bench/report/bench_summary.hpp"

#include <fmt/format.h>

#include <stad/version.hpp>

#include "bench/plan/provenance.hpp"
#include "bench/report/accuracy_blocks.hpp"
#include "bench/report/estimates.hpp"
#include "bench/report/gains.hpp"
#include "common/terminal.hpp"

namespace stad::cli::bench {
namespace {

Json figure_json(const Experiment& experiment, const CellKey& key, const Cell& cell, Protocol protocol) {
  const Candidate& candidate = *cell.chosen(protocol);
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
  if (experiment.shows(Exhibit::kHealth)) json["estimate"] = estimate_json(candidate);
  const std::string detail = key.sweep_option.empty() ? "" : fmt::format("{} = {}", key.sweep_option, key.sweep_value);
  const PaperFigure* published = experiment.published({key.stream, key.setting, key.title, detail});
  const bool accuracy = published && !experiment.shows(Exhibit::kRuntime);
  json["paper"] = accuracy ? Json(published->mean / 100) : Json();
  return json;
}

Tone tone_of(Standing standing) {
  if (standing == Standing::kNone) return Tone::kPlain;
  return standing == Standing::kBetter ? Tone::kBetter : Tone::kWorse;
}

std::string block_table(const Results& results, const AccuracyBlock& block) {
  std::vector<std::vector<cli::Cell>> rows{{{block.heading}}};
  for (const FigureColumn& column : block.columns) rows[0].push_back({column.title});
  const auto titles = results.titles();
  for (std::size_t r = 0; r < titles.size(); ++r) {
    rows.push_back({{titles[r]}});
    for (const FigureColumn& column : block.columns) {
      const Entry& entry = column.entries[r];
      rows.back().push_back({entry.figure   ? figure_text(*entry.figure)
                             : entry.failed ? "failed"
                                            : "",
                             tone_of(standing_of(column, r))});
    }
  }
  return table(rows);
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
          {"runs", outcome.tally.run},
          {"reused", outcome.tally.reused},
          {"failed", outcome.tally.failed},
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
    if (experiment.shows(Exhibit::kHealth)) text += estimates_text(results) + "\n";
  }
  return text;
}

}  // namespace stad::cli::bench
