#include "cli/adapt_report.hpp"

#include <fmt/format.h>

#include <stad/version.hpp>

#include "bench/run/run_record.hpp"
#include "cli/adapt_input.hpp"
#include "cli/network.hpp"
#include "common/json_text.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

std::string summary_line(const char* name, const std::string& text) { return fmt::format("{:<12}{}\n", name, text); }

std::string plural(Index count, const char* noun, const char* nouns) {
  return fmt::format("{} {}", count, count == 1 ? noun : nouns);
}

std::string adapter_options_text(const Adapter& adapter) {
  std::string text;
  for (const auto& option : adapter.options()) text += fmt::format(" {}={}", option.name, option.value);
  return text;
}

double samples_per_second(const AdaptReport& report) {
  return report.seconds.adapt > 0 ? static_cast<double>(report.run.samples) / report.seconds.adapt : 0;
}

/// How the stream was batched: together with the options, all that is needed to repeat the run.
Json batching_json(const AdaptReport& report) {
  const BatchSettings& batches = report.batches;
  return {{"batch_size", value_or_null(batches.batch_size)},
          {"order", report.order},
          {"seed", batches.seed},
          {"since", value_or_null(batches.since)},
          {"until", value_or_null(batches.until)},
          {"sort_by_time", batches.sort_by_time}};
}

Json labels_json(const AdaptReport& report) {
  const auto& late = report.batches.late_labels;
  if (!late) return {};
  return {{"delay", late->delay},
          {"share", late->share},
          {"requested", late->requested ? Json(report.run.predictions.label_requests.size()) : Json()},
          {"used", report.run.labels.used},
          {"forgotten", report.run.labels.forgotten}};
}

std::string labels_text(const AdaptReport& report) {
  const Observed& labels = report.run.labels;
  const LateLabels& late = *report.batches.late_labels;
  const std::string requested =
      late.requested ? fmt::format("{} requested, ", report.run.predictions.label_requests.size()) : "";
  const std::string text =
      requested + plural(labels.used, "label", "labels") + ", " + plural(late.delay, "batch", "batches") + " late";
  return labels.forgotten > 0 ? text + fmt::format("; {} came too late", labels.forgotten) : text;
}

Json accuracy_json(const Evaluation& evaluation, bool has_time) {
  Json steps = Json::array();
  for (const auto& step : evaluation.per_step)
    steps.push_back(
        {{"time", has_time ? time_value(step.time) : Json()}, {"samples", step.samples}, {"accuracy", step.accuracy}});
  return {{"samples", evaluation.samples},
          {"pooled", evaluation.pooled},
          {"step_mean", evaluation.step_mean},
          {"per_step", steps}};
}

/// Health over the whole run and of every step.
Json run_health_json(const AdaptReport& report) {
  Json json = health_json(total_health(report.run.health));
  json["level"] = report.health_level;
  json["warnings"] = report.run.warnings ? bench::to_json(*report.run.warnings) : Json();
  Json steps = Json::array();
  for (const StepHealth& step : report.run.health) {
    Json one = health_json(step.health);
    one["time"] = report.has_time ? time_value(step.time) : Json();
    one["before"] = step.before;
    one["samples"] = step.samples;
    steps.push_back(std::move(one));
  }
  json["per_step"] = steps;
  return json;
}

Json classes_json(const AdaptReport& report) {
  Json classes = Json::array();
  const auto& names = report.adapter.source().class_names();
  const auto& scores = report.run.evaluation->per_class;
  for (std::size_t k = 0; k < scores.size(); ++k)
    classes.push_back({{"class", names[k]},
                       {"samples", scores[k].samples},
                       {"recall", scores[k].recall()},
                       {"precision", scores[k].precision()}});
  return classes;
}

Json network_json(const AdaptReport& report) {
  if (!report.network) return {};
  return {{"head", report.network->head},
          {"parameters", report.network->parameters},
          {"batch_norms", report.network->batch_norms},
          {"layer_norms", report.network->layer_norms},
          {"group_norms", report.network->group_norms}};
}

Json list_or_null(const std::vector<double>& values) { return values.empty() ? Json() : Json(values); }

/// The warning level after the last batch, or why there is none.
std::string last_warning_text(const AdaptReport& report) {
  const Health& health = report.run.health.back().health;
  if (health.warning) return warning_text(*health.warning);
  const SourceCard& card = report.adapter.source().card();
  if (!card.accuracy || !card.confidence) return "no card: no estimate without labels";
  if (health.guard) return "none: too few rows yet";
  return fmt::format("none for {} at this level: use --health full", report.adapter.method());
}

std::string warnings_text(const WarningRecord& record) {
  return fmt::format("{}: {} fine, {} watch, {} act; {} missed (fine, more than 10 points lost), {} (nothing lost)",
                     plural(record.steps, "step", "steps"), record.fine, record.watch, record.act, record.missed,
                     plural(record.false_alarms, "false alarm", "false alarms"));
}

/// Who answered, by runs of time steps, for methods with candidates.
std::string answers_text(const AdaptReport& report) {
  const auto& steps = report.run.health;
  std::string text;
  for (std::size_t first = 0, next = 0; first < steps.size(); first = next) {
    const std::string_view who = steps[first].health.answers();
    while (next < steps.size() && steps[next].health.answers() == who) ++next;
    const std::string from = report.has_time ? fmt::format("time {}", json_text(time_value(steps[first].time)))
                                             : fmt::format("row {}", steps[first].before);
    text += fmt::format("{}{} from {}", text.empty() ? "" : ", ", who, from);
  }
  return text;
}

std::string candidates_text(const std::vector<CandidateStatus>& candidates) {
  std::string text;
  for (const CandidateStatus& candidate : candidates) {
    text += fmt::format("{}{} wealth {:.3g} of {:.0f}", text.empty() ? "" : ", ", candidate.name, candidate.wealth,
                        candidate.threshold);
    if (candidate.answers) text += fmt::format(" (answers, watch {:.2g})", candidate.watch);
    if (!candidate.live) text += " (set aside)";
  }
  return text;
}

std::string health_lines(const AdaptReport& report) {
  const RunReport& run = report.run;
  std::string text =
      summary_line("health", health_text(run.health)) + summary_line("warning", last_warning_text(report));
  if (run.warnings) text += summary_line("warnings", warnings_text(*run.warnings));
  const auto& candidates = run.health.back().health.candidates;
  if (const auto& guard = run.health.back().health.guard)
    text += summary_line(candidates.empty() ? "guard" : "base", guard_text(*guard));
  if (!candidates.empty())
    text += summary_line("answers", answers_text(report)) + summary_line("candidates", candidates_text(candidates));
  return text;
}

}  // namespace

std::string summary_text(const AdaptReport& report) {
  const auto& run = report.run;
  std::string text = summary_line("method", toned(report.adapter.method(), Tone::kBold) +
                                                toned(printable(adapter_options_text(report.adapter)), Tone::kFaint));
  if (report.network) text += summary_line("network", network_text(*report.network, report.adapter.source()));
  text += summary_line("samples", fmt::format("{} in {}", run.samples, plural(run.batches, "batch", "batches")));
  if (run.undirected > 0)
    text += summary_line("undirected",
                         plural(run.undirected, "row", "rows") + " without a direction: nothing learned from them");
  if (run.restarted > 0)
    text += summary_line("restarted", plural(run.restarted, "time", "times") + " a class began again from the source");
  if (report.batches.late_labels) text += summary_line("labels", labels_text(report));
  if (run.evaluation && run.evaluation->samples < run.samples)
    text += summary_line("scored",
                         plural(run.evaluation->samples, "row", "rows") + ", the others are labelled as of no class");
  if (run.evaluation)
    text += summary_line("accuracy", fmt::format("{:.2f} % pooled, {:.2f} % mean over {}", 100 * run.evaluation->pooled,
                                                 100 * run.evaluation->step_mean,
                                                 plural(static_cast<Index>(run.evaluation->per_step.size()),
                                                        "time step", "time steps")));
  if (!run.health.empty()) text += health_lines(report);
  text += summary_line(
      "time", fmt::format("{:.3f} s read, {:.3f} s adapt, {:.3f} s write; {:.0f} samples/s", report.seconds.read,
                          report.seconds.adapt, report.seconds.write, samples_per_second(report)));
  return text;
}

std::string class_table(const AdaptReport& report) {
  std::vector<std::vector<Cell>> rows{{{"class"}, {"samples"}, {"recall %"}, {"precision %"}}};
  const auto& names = report.adapter.source().class_names();
  const auto& scores = report.run.evaluation->per_class;
  for (std::size_t k = 0; k < scores.size(); ++k)
    rows.push_back({{names[k]},
                    {std::to_string(scores[k].samples)},
                    {fmt::format("{:.2f}", 100 * scores[k].recall())},
                    {fmt::format("{:.2f}", 100 * scores[k].precision())}});
  return table(rows);
}

std::string calibration_text(const AdaptReport& report) {
  return summary_line("calibration", fmt::format("{:.2f} % expected error of the confidence (15 bins)",
                                                 100 * report.run.evaluation->calibration_error));
}

std::string report_json(const AdaptReport& report) {
  const auto& run = report.run;
  Json json{{"method", std::string(report.adapter.method())},
            {"options", options_json(report.adapter.options())},
            {"source", report.source_path},
            {"stream", report.stream_path},
            {"network", network_json(report)},
            {"batching", batching_json(report)},
            {"samples", run.samples},
            {"batches", run.batches},
            {"undirected", run.undirected},
            {"restarted", run.restarted},
            {"labels", labels_json(report)},
            {"accuracy", run.evaluation ? accuracy_json(*run.evaluation, report.has_time) : Json()}};
  if (run.evaluation) {
    json["per_class"] = classes_json(report);
    json["calibration_error"] = run.evaluation->calibration_error;
  }
  json["health"] = run.health.empty() ? Json() : run_health_json(report);
  json["seconds"] = {{"read", report.seconds.read}, {"adapt", report.seconds.adapt}, {"write", report.seconds.write}};
  json["samples_per_second"] = samples_per_second(report);
  json["version"] = kVersion;
  return json_text(json) + "\n";
}

Health total_health(const std::vector<StepHealth>& steps) {
  Health total = steps.back().health;
  double confidence = 0;
  Index rows = 0;
  total.compared = total.flipped = 0;
  for (const StepHealth& step : steps) {
    total.compared += step.health.compared;
    total.flipped += step.health.flipped;
    confidence += static_cast<double>(step.samples) * step.health.confidence;
    rows += step.samples;
  }
  total.confidence = confidence / static_cast<double>(rows);
  return total;
}

std::string health_text(const std::vector<StepHealth>& steps) {
  const Health total = total_health(steps);
  std::string text = fmt::format("mean confidence {:.1f} %", 100 * total.confidence);
  if (total.compared > 0) text += fmt::format(", {:.1f} % answered otherwise than the source", 100 * total.flip_rate());
  return text;
}

std::string warning_text(Warning warning) {
  switch (warning) {
    case Warning::kFine:
      return "fine: no sign of lost accuracy";
    case Warning::kWatch:
      return "watch: the source's accuracy may have fallen";
    case Warning::kAct:
      return "act: the source's accuracy has probably fallen";
  }
  return "";
}

std::string guard_text(const Guard& guard) {
  const std::string zeta = fmt::format("{:.{}f}", guard.zeta, guard.zeta < 10 ? 1 : 0);
  switch (guard.held_by) {
    case GuardTest::kNone:
      return fmt::format("label chains answer (zeta {}, excess {:.2f}, autocorrelation {:.2f})", zeta, guard.excess,
                         guard.autocorrelation);
    case GuardTest::kRows:
      return "the source answers: too few rows yet";
    case GuardTest::kZeta:
      return fmt::format("the source answers: labels do not persist (zeta {}, needs 4)", zeta);
    case GuardTest::kExcess:
      return fmt::format("the source answers: labels persist too weakly (excess {:.2f}, needs 0.3)", guard.excess);
    case GuardTest::kAutocorrelation:
      return fmt::format("the source answers: the noise persists as well (autocorrelation {:.2f}, at most 0.3)",
                         guard.autocorrelation);
  }
  return "";
}

Json candidates_json(const std::vector<CandidateStatus>& candidates) {
  Json list = Json::array();
  for (const CandidateStatus& candidate : candidates)
    list.push_back({{"name", candidate.name},
                    {"answers", candidate.answers},
                    {"live", candidate.live},
                    {"wealth", candidate.wealth},
                    {"threshold", candidate.threshold},
                    {"watch", candidate.watch},
                    {"attempt", candidate.attempt}});
  return list;
}

Json guard_json(const Guard& guard) {
  return {{"answers", guard.chains ? "chains" : "source"},
          {"held_by", name_of(guard.held_by)},
          {"zeta", guard.zeta},
          {"excess", guard.excess},
          {"autocorrelation", guard.autocorrelation}};
}

Json health_json(const Health& health) {
  return {{"confidence", health.is_told() ? Json(health.confidence) : Json()},
          {"compared", health.compared},
          {"flip_rate", health.compared > 0 ? Json(health.flip_rate()) : Json()},
          {"warning", health.warning ? Json(name_of(*health.warning)) : Json()},
          {"answers", health.guard ? Json(health.answers()) : Json()},
          {"guard", health.guard ? guard_json(*health.guard) : Json()},
          {"candidates", health.candidates.empty() ? Json() : candidates_json(health.candidates)},
          {"pending_requests", health.candidates.empty() ? Json() : Json(health.pending_requests)},
          {"dispersion", value_or_null(health.dispersion)},
          {"movement", list_or_null(health.movement)},
          {"evidence", list_or_null(health.evidence)}};
}

}  // namespace stad::cli
