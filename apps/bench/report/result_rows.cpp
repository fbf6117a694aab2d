#include "bench/report/bench_report.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include <stad/version.hpp>

#include "bench/plan/provenance.hpp"
#include "bench/run/run_record.hpp"

namespace stad::cli::bench {
namespace {

/// The protocol of grid points that neither protocol chose.
constexpr char kUnchosen[] = "grid";

Json option_or(const Json& options, const char* name, const Json& otherwise) {
  return options.contains(name) ? options.at(name) : otherwise;
}

Json row_of(const PlannedRun& run, const RunRecord& record, const std::string& protocol) {
  const Json options = options_json(run.resolved);
  const auto figure = [&](auto value) { return record.failed ? Json() : Json(value); };
  return {{"experiment", run.experiment->name},
          {"stream", run.stream->name},
          {"setting", run.setting->name},
          {"network", run.network},
          {"corruption", run.corruption.empty() ? Json() : Json(run.corruption)},
          {"method", run.method->name},
          {"title", run.method->title},
          {"options", options},
          {"sweep", run.method->sweep ? Json(run.method->sweep->name) : Json()},
          {"order", name_of(run.setting->order)},
          {"batch_size", run.batch_size},
          {"window", option_or(options, "window", Json())},
          {"seed", run.seed},
          {"protocol", protocol},
          {"predict", option_or(options, "predict", "after")},
          {"status", record.failed ? "failed" : "done"},
          {"reason", record.reason},
          {"accuracy_pooled", figure(record.pooled)},
          {"accuracy_step_mean", figure(record.step_mean)},
          {"calibration_error", figure(record.calibration_error)},
          {"seconds_adapt", figure(record.seconds_adapt)},
          {"samples", figure(record.samples)},
          {"version", record.version},
          {"machine", record.machine},
          {"record", record.failed ? Json() : Json(RunStore::file_of(run))}};
}

/// One row for every method that would run on the stream.
void add_missing_rows(const MissingStream& missing, Json& rows) {
  const std::string& machine = machine_name();
  for (const SettingSpec& setting : missing.experiment->settings)
    for (const MethodSpec& method : missing.experiment->methods) {
      if (method.name.empty() || !applies(method, *missing.stream, setting)) continue;
      const PlannedRun run(*missing.experiment, *missing.stream, setting, method);
      RunRecord record;
      record.failed = true;
      record.reason = missing.reason;
      record.version = kVersion;
      record.machine = machine;
      Json row = row_of(run, record, name_of(method.protocol));
      row["status"] = "missing";
      rows.push_back(row);
    }
}

void add_cell_rows(const ResultCell& cell, Json& rows) {
  std::vector<std::pair<const CandidateRuns*, Protocol>> chosen;
  for (const Protocol protocol : cell.protocols()) chosen.emplace_back(cell.chosen(protocol), protocol);
  for (const CandidateRuns& candidate : cell.candidates) {
    std::vector<std::string> counted;
    for (const auto& [choice, protocol] : chosen)
      if (choice == &candidate) counted.emplace_back(name_of(protocol));
    if (counted.empty()) counted.emplace_back(kUnchosen);
    for (std::size_t i = 0; i < candidate.plans.size(); ++i)
      for (const std::string& protocol : counted)
        rows.push_back(row_of(*candidate.plans[i], *candidate.records[i], protocol));
  }
}

std::string csv_field(const Json& value) {
  if (value.is_null()) return "";
  std::string text = value.is_string() ? value.get<std::string>() : json_text(value);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace

Json result_rows(const std::vector<Experiment>& experiments, const Plan& plan, const Outcome& outcome) {
  Json rows = Json::array();
  for (const Experiment& experiment : experiments) {
    const Cells cells(experiment, plan, outcome);
    for (const auto& [key, cell] : cells.all()) add_cell_rows(cell, rows);
    for (const MissingStream& missing : plan.missing)
      if (missing.experiment == &experiment) add_missing_rows(missing, rows);
  }
  return rows;
}

std::string csv_text(const Json& rows) {
  std::string text;
  if (rows.empty()) return text;
  std::vector<std::string> names;
  for (const auto& [name, value] : rows.front().items()) names.push_back(name);
  text += fmt::format("{}\n", fmt::join(names, ","));
  for (const Json& row : rows) {
    std::vector<std::string> fields;
    fields.reserve(names.size());
    for (const std::string& name : names) fields.push_back(csv_field(row.at(name)));
    text += fmt::format("{}\n", fmt::join(fields, ","));
  }
  return text;
}

}  // namespace stad::cli::bench
