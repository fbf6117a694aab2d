#include "bench/run/run_record.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>

#include <stad/files.hpp>

#include "common/error.hpp"

namespace stad::cli::bench {
namespace {

std::optional<double> optional_from(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Json steps_json(const std::vector<StepScore>& steps) {
  Json list = Json::array();
  for (const StepScore& step : steps) list.push_back({step.time, step.samples, step.correct});
  return list;
}

Json geometry_json(const std::vector<StepGeometry>& steps) {
  Json list = Json::array();
  for (const StepGeometry& step : steps)
    list.push_back({step.time, value_or_null(step.source_angle), value_or_null(step.adapted_angle),
                    value_or_null(step.true_dispersion), value_or_null(step.source_dispersion),
                    value_or_null(step.adapted_dispersion)});
  return list;
}

StepGeometry geometry_from(const Json& json) {
  return {json.at(0).get<double>(),  optional_from(json.at(1)), optional_from(json.at(2)),
          optional_from(json.at(3)), optional_from(json.at(4)), optional_from(json.at(5))};
}

StepScore score_from(const Json& json) {
  const StepScore step{json.at(0).get<double>(), json.at(1).get<Index>(), json.at(2).get<Index>()};
  constexpr Index kMostSamples = Index{1} << 48;  // sums over many runs stay exact
  if (step.samples < 1 || step.samples > kMostSamples || step.correct < 0 || step.correct > step.samples)
    throw std::invalid_argument("a step has impossible counts");
  return step;
}

Json step_health_json(const std::vector<StepHealthRecord>& steps) {
  Json list = Json::array();
  for (const StepHealthRecord& step : steps)
    list.push_back({step.time, step.confidence, step.flip_rate, value_or_null(step.chains)});
  return list;
}

StepHealthRecord step_health_from(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>(), optional_from(json.at(3))};
}

WarningRecord warnings_from(const Json& json) {
  const auto count = [&](const char* name) { return json.at(name).get<Index>(); };
  return {.steps = count("steps"),
          .fine = count("fine"),
          .watch = count("watch"),
          .act = count("act"),
          .missed = count("missed"),
          .false_alarms = count("false_alarms")};
}

Json points_json(const std::vector<MapPoint>& points) {
  Json list = Json::array();
  for (const MapPoint& point : points) list.push_back({point.x, point.y, point.class_index});
  return list;
}

std::vector<MapPoint> points_from(const Json& json) {
  std::vector<MapPoint> points;
  for (const Json& point : json)
    points.push_back({point.at(0).get<double>(), point.at(1).get<double>(), point.at(2).get<Index>()});
  return points;
}

}  // namespace

Json to_json(const WarningRecord& warnings) {
  return {{"steps", warnings.steps}, {"fine", warnings.fine},     {"watch", warnings.watch},
          {"act", warnings.act},     {"missed", warnings.missed}, {"false_alarms", warnings.false_alarms}};
}

Json to_json(const RunRecord& record) {
  Json json{{"accuracy_pooled", record.pooled},
            {"accuracy_step_mean", record.step_mean},
            {"calibration_error", record.calibration_error},
            {"seconds_adapt", record.seconds_adapt},
            {"samples", record.samples},
            {"batches", record.batches},
            {"undirected", record.undirected},
            {"restarted", record.restarted},
            {"version", record.version},
            {"machine", record.machine},
            {"steps", steps_json(record.steps)}};
  if (!record.geometry.empty()) json["geometry"] = geometry_json(record.geometry);
  if (!record.health.empty()) json["health"] = step_health_json(record.health);
  if (const auto& warnings = record.warnings) json["warnings"] = to_json(*warnings);
  if (record.map)
    json["map"] = {{"samples", points_json(record.map->samples)},
                   {"source", points_json(record.map->source)},
                   {"adapted", points_json(record.map->adapted)}};
  return json;
}

RunRecord record_from(const Json& json) {
  RunRecord record;
  json.at("accuracy_pooled").get_to(record.pooled);
  json.at("accuracy_step_mean").get_to(record.step_mean);
  json.at("calibration_error").get_to(record.calibration_error);
  json.at("seconds_adapt").get_to(record.seconds_adapt);
  json.at("samples").get_to(record.samples);
  json.at("batches").get_to(record.batches);
  json.at("undirected").get_to(record.undirected);
  json.at("restarted").get_to(record.restarted);
  json.at("version").get_to(record.version);
  json.at("machine").get_to(record.machine);
  for (const Json& step : json.at("steps")) record.steps.push_back(score_from(step));
  if (json.contains("geometry"))
    for (const Json& step : json.at("geometry")) record.geometry.push_back(geometry_from(step));
  if (json.contains("health"))
    for (const Json& step : json.at("health")) record.health.push_back(step_health_from(step));
  if (json.contains("warnings")) record.warnings = warnings_from(json.at("warnings"));
  if (json.contains("map")) {
    const Json& map = json.at("map");
    record.map = StepMap{points_from(map.at("samples")), points_from(map.at("source")), points_from(map.at("adapted"))};
  }
  return record;
}

namespace fs = std::filesystem;

RunStore::RunStore(const std::string& directory) : directory_(directory) {
  std::error_code error;
  fs::create_directories(fs::path(directory) / "runs", error);
  if (error) reject(fmt::format("--out {}: cannot be created: {}", directory, error.message()));
  for (const fs::path& folder : {fs::path(directory), fs::path(directory) / "runs"})
    if (access(folder.c_str(), W_OK | X_OK) != 0) reject(fmt::format("--out {}: cannot be written", folder.string()));
}

std::string RunStore::file_of(const PlannedRun& run) { return "runs/" + run.key + ".json"; }

std::optional<RunRecord> RunStore::find(const PlannedRun& run) const {
  std::ifstream file(fs::path(directory_) / file_of(run));
  if (!file) return std::nullopt;
  try {
    const Json json = Json::parse(file);
    if (json.at("run") == run.identity) return record_from(json.at("result"));
  } catch (const std::exception&) {
    // Invalid or truncated: the run is repeated and the file replaced.
  }
  return std::nullopt;
}

void RunStore::keep(const PlannedRun& run, const RunRecord& record) const {
  const Json json{{"run", run.identity}, {"result", to_json(record)}};
  need(write_text((fs::path(directory_) / file_of(run)).string(), json_text(json) + "\n"));
}

}  // namespace stad::cli::bench
