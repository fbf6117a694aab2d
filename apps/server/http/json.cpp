#include "server/http/json.hpp"

#include <numbers>

#include <fmt/format.h>

#include "common/error.hpp"

namespace stad::server {
namespace {

constexpr double kRadiansPerDegree = std::numbers::pi / 180;
constexpr int kMaxDepth = 16;  // of nested arrays and objects, since dump() is recursive

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json json_of(const std::optional<Warning>& warning) { return warning ? Json(name_of(*warning)) : Json(); }

Json json_of(const std::optional<Guard>& guard) {
  if (!guard) return nullptr;
  return {{"answers", guard->chains ? "chains" : "source"},
          {"held_by", name_of(guard->held_by)},
          {"zeta", guard->zeta},
          {"excess", guard->excess},
          {"autocorrelation", guard->autocorrelation}};
}

Json json_of(const Health& health) {
  Json movement = Json::array();
  for (const double degrees : health.movement) movement.push_back(degrees * kRadiansPerDegree);
  return {{"confidence", health.confidence},
          {"flip_rate", health.compared > 0 ? Json(health.flip_rate()) : Json()},
          {"warning", json_of(health.warning)},
          {"guard", json_of(health.guard)},
          {"dispersion", health.dispersion ? Json(*health.dispersion * kRadiansPerDegree) : Json()},
          {"movement", movement},
          {"evidence", health.evidence}};
}

Json options_json(const std::vector<OptionSetting>& options) {
  Json object = Json::object();
  for (const auto& option : options)
    object[option.name] = option.is_number ? Json(std::stod(option.value)) : Json(option.value);
  return object;
}

}  // namespace

std::string text_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json json_of(const HistoryPoint& point) {
  return {{"time", point.time},
          {"span", point.span},
          {"batches", point.batches},
          {"rows", point.rows},
          {"confidence", point.confidence},
          {"source_confidence", or_null(point.source_confidence)},
          {"flip_rate", or_null(point.flip_rate)},
          {"warning", json_of(point.warning)},
          {"chains", or_null(point.chains)},
          {"guard", json_of(point.guard)},
          {"entropy", point.entropy},
          {"dispersion", or_null(point.dispersion)},
          {"movement", point.movement},
          {"proportions", point.proportions}};
}

Json json_of(const StreamReport& report) {
  Json shown = Json::array();
  for (const Index k : report.shown_classes) shown.push_back(report.model->source().class_names()[k]);
  Json points = Json::array();
  for (const auto& point : report.history) points.push_back(json_of(point));
  return {{"model", report.name.model},
          {"stream", report.name.stream},
          {"mode", name_of(report.model->mode())},
          {"method", report.model->specification().method},
          {"options", options_json(report.model->options())},
          {"classes", report.model->source().class_names()},
          {"batches", report.batches},
          {"rows", report.rows},
          {"saved", report.is_saved},
          {"health", json_of(report.health)},
          {"history", {{"classes", shown}, {"points", points}}}};
}

Json json_of(const Event& event) {
  return {{"time", event.time}, {"model", event.name.model}, {"stream", event.name.stream},
          {"kind", event.kind}, {"detail", event.detail},    {"caller", event.caller}};
}

Json json_of(const SnapshotSummary& snapshot) {
  return {{"id", snapshot.id},
          {"created", snapshot.created},
          {"note", snapshot.note},
          {"batches", snapshot.batches},
          {"bytes", snapshot.bytes}};
}

Json json_of(const ServedModel& model, const StreamCounts& streams, const CheckpointSettings& checkpoints) {
  return {{"name", model.name()},
          {"method", model.specification().method},
          {"options", options_json(model.options())},
          {"mode", name_of(model.mode())},
          {"classes", model.source().class_names()},
          {"dimension", model.source().dimension()},
          {"source", fmt::format("{:016x}", model.source().fingerprint())},
          {"durability", name_of(checkpoints.durability)},
          {"interval", std::chrono::duration<double>(checkpoints.interval).count()},
          {"on_disk", streams.on_disk},
          {"streams", {{"resident", streams.resident}, {"kept", streams.kept}}},
          {"batches", model.batches.load()},
          {"rows", model.rows.load()}};
}

Json object_of(const std::string& body) {
  const auto check_depth = [](int depth, Json::parse_event_t, const Json&) {
    if (depth > kMaxDepth) reject(400, fmt::format("the body is nested more than {} deep", kMaxDepth));
    return true;
  };
  Json object = Json::parse(body, check_depth, false);
  if (object.is_discarded()) reject(400, "the body is not valid JSON");
  if (!object.is_object()) reject(400, "the body must be a JSON object");
  return object;
}

}  // namespace stad::server
