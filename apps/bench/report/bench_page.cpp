#include "bench/report/bench_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <stad/version.hpp>

#include "bench/plan/provenance.hpp"
#include "bench/report/exhibits.hpp"

namespace stad::cli::bench {
namespace {

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
      add_estimate_table(results, section);
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

/// What is not there, and how to come by it.
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
      "{}; labels only score the answers. Where a method has options to choose, two figures stand side by side: best "
      "with labels picks the most accurate setting for each stream, as the paper did and as nobody without labels can; "
      "label-free is one fixed setting for all streams.",
      oracle ? "No method sees a label but the oracle, which is there to compare with" : "No method sees a label")};
  text.push_back(fmt::format("{} distinct runs, {} of them failed. stad {} on {}.",
                             outcome.tally.run + outcome.tally.reused, outcome.tally.failed, kVersion, machine_name()));
  if (!plan.missing.empty())
    text.push_back(fmt::format("{} streams are not there and were left out; each section says what it needs.",
                               plan.missing.size()));
  return text;
}

}  // namespace

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
