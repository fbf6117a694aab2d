#include "cli/adapt_report.hpp"

#include <fmt/format.h>

#include <stad/version.hpp>

#include "cli/adapt_input.hpp"
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
          {"used", report.run.labels.used},
          {"forgotten", report.run.labels.forgotten}};
}

std::string labels_text(const AdaptReport& report) {
  const Observed& labels = report.run.labels;
  const std::string text = plural(labels.used, "label", "labels") + ", " +
                           plural(report.batches.late_labels->delay, "batch", "batches") + " late";
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
  if (const auto& errors = report.run.estimate_errors)
    json["back_test"] = {
        {"estimate_error", errors->estimate}, {"confidence_error", errors->confidence}, {"covered", errors->covered}};
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
  if (!run.predictions.unknown.empty())
    text += summary_line("unknown", plural(run.unknown, "row looks", "rows look") + " like none of the classes");
  if (report.batches.late_labels) text += summary_line("labels", labels_text(report));
  if (run.evaluation && run.evaluation->samples < run.samples)
    text += summary_line("scored",
                         plural(run.evaluation->samples, "row", "rows") + ", the others are labelled as of no class");
  if (run.evaluation)
    text += summary_line("accuracy", fmt::format("{:.2f} % pooled, {:.2f} % mean over {}", 100 * run.evaluation->pooled,
                                                 100 * run.evaluation->step_mean,
                                                 plural(static_cast<Index>(run.evaluation->per_step.size()),
                                                        "time step", "time steps")));
  if (!run.health.empty()) text += summary_line("health", health_text(run.health));
  if (!run.health.empty() && run.health.back().health.guard)
    text += summary_line("guard", guard_text(*run.health.back().health.guard));
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
            {"unknown", run.predictions.unknown.empty() ? Json() : Json(run.unknown)},
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
  double confidence = 0, log_likelihood = 0;
  Index rows = 0;
  total.compared = total.flipped = 0;
  total.accuracy = {};
  for (const StepHealth& step : steps) {
    const auto samples = static_cast<double>(step.samples);
    total.compared += step.health.compared;
    total.flipped += step.health.flipped;
    total.accuracy += step.health.accuracy;
    confidence += samples * step.health.confidence;
    log_likelihood += samples * step.health.log_likelihood.value_or(0);
    rows += step.samples;
  }
  total.confidence = confidence / static_cast<double>(rows);
  if (total.log_likelihood) total.log_likelihood = log_likelihood / static_cast<double>(rows);
  return total;
}

std::string health_text(const std::vector<StepHealth>& steps) {
  const Health total = total_health(steps);
  std::string text = fmt::format("estimated accuracy {:.1f} % ({:.1f} to {:.1f})", 100 * total.accuracy.value(),
                                 100 * total.accuracy.low(), 100 * total.accuracy.high());
  if (total.compared > 0) text += fmt::format(", {:.1f} % answered otherwise than the source", 100 * total.flip_rate());
  return text;
}

std::string guard_text(const Guard& guard) {
  return fmt::format("trust {:.2f} (0: the source answers, 1: the prototypes), persistence of labels {:.2f}",
                     guard.trust, guard.persistence);
}

Json health_json(const Health& health) {
  const AccuracyEstimate& accuracy = health.accuracy;
  const auto guard = [&](double Guard::*part) { return health.guard ? Json((*health.guard).*part) : Json(); };
  return {{"estimated_accuracy",
           accuracy.rows > 0 ? Json{{"value", accuracy.value()}, {"low", accuracy.low()}, {"high", accuracy.high()}}
                             : Json()},
          {"confidence", health.is_told() ? Json(health.confidence) : Json()},
          {"compared", health.compared},
          {"flip_rate", health.compared > 0 ? Json(health.flip_rate()) : Json()},
          {"trust", guard(&Guard::trust)},
          {"persistence", guard(&Guard::persistence)},
          {"reliability", guard(&Guard::reliability)},
          {"log_likelihood", value_or_null(health.log_likelihood)},
          {"dispersion", value_or_null(health.dispersion)},
          {"movement", list_or_null(health.movement)},
          {"evidence", list_or_null(health.evidence)}};
}

}  // namespace stad::cli
