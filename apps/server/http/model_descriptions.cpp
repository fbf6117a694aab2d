#include "server/http/model_descriptions.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <stad/version.hpp>

namespace stad::server {
namespace {

/// A tensor of a model; the first count of its shape, the rows, is left out.
struct TensorDescription {
  const char* name;
  const char* datatype;
  std::vector<Index> row_shape;
};

TensorDescription input_of(const ServedModel& model) {
  if (const auto& shape = model.image_shape())
    return {"images", "FP32", {shape->channels, shape->height, shape->width}};
  return {"features", "FP32", {model.source().dimension()}};
}

std::vector<TensorDescription> outputs_of(const ServedModel& model) {
  return {{"label", "INT64", {}},
          {"probabilities", "FP32", {model.source().classes()}},
          {"source_label", "INT64", {}},
          {"adapted_label", "INT64", {}}};
}

Json metadata_of(const TensorDescription& tensor) {
  Json shape{-1};
  for (const Index count : tensor.row_shape) shape.push_back(count);
  return {{"name", tensor.name}, {"datatype", tensor.datatype}, {"shape", shape}};
}

Json config_of(const TensorDescription& tensor) {
  return {{"name", tensor.name}, {"data_type", std::string("TYPE_") + tensor.datatype}, {"dims", tensor.row_shape}};
}

/// A stream is never dropped for being idle; 0 would mean one second.
constexpr auto kNeverIdle = std::numeric_limits<std::int64_t>::max();  // microseconds

Json sequence_batching_of(const ServedModel& model) {
  return {
      {"max_sequence_idle_microseconds", kNeverIdle},
      {"control_input", Json::array()},
      {"state", Json::array()},
      {"direct",
       {{"max_queue_delay_microseconds", model.specification().max_delay.count()}, {"minimum_slot_utilization", 0.0}}}};
}

Json parameters_of(const ServedModel& model) {
  Json parameters = Json::object();
  const auto add = [&](const std::string& name, std::string_view value) {
    parameters[name] = {{"string_value", value}};
  };
  add("method", model.specification().method);
  add("mode", name_of(model.mode()));
  add("max_batch", std::to_string(model.specification().max_batch));
  for (const auto& option : model.options()) add("options." + option.name, option.value);
  return parameters;
}

Json json_of(const DurationStatistic& statistic) { return {{"count", statistic.count}, {"ns", statistic.ns}}; }

Json batch_statistics_of(const InferenceFigures& figures) {
  Json batches = Json::array();
  for (const auto& [rows, compute] : figures.batches)
    batches.push_back({{"batch_size", rows},
                       {"compute_input", json_of(compute.input)},
                       {"compute_infer", json_of(compute.infer)},
                       {"compute_output", json_of(compute.output)}});
  return batches;
}

}  // namespace

Json server_metadata() {
  return {{"name", "stad"},
          {"version", kVersion},
          {"extensions",
           {"binary_tensor_data", "classification", "model_configuration", "model_repository", "sequence",
            "sequence(string_id)", "statistics"}}};
}

Json metadata_of(const ServedModel& model) {
  Json outputs = Json::array();
  for (const auto& output : outputs_of(model)) outputs.push_back(metadata_of(output));
  return {{"name", model.name()},
          {"versions", {"1"}},
          {"platform", "stad"},
          {"inputs", Json::array({metadata_of(input_of(model))})},
          {"outputs", outputs},
          {"parameters", {{"method", model.specification().method}, {"mode", name_of(model.mode())}}}};
}

Json config_of(const ServedModel& model, std::size_t max_rows) {
  Json outputs = Json::array();
  for (const auto& output : outputs_of(model)) outputs.push_back(config_of(output));
  return {{"name", model.name()},
          {"platform", "stad"},
          {"backend", "stad"},
          {"version_policy", {{"latest", {{"num_versions", 1}}}}},
          {"max_batch_size", max_rows},
          {"input", Json::array({config_of(input_of(model))})},
          {"output", outputs},
          {"sequence_batching", sequence_batching_of(model)},
          {"parameters", parameters_of(model)}};
}

Json statistics_of(const ServedModel& model) {
  const InferenceFigures figures = model.statistics.figures();
  return {{"name", model.name()},
          {"version", "1"},
          {"last_inference", figures.last_inference},
          {"inference_count", figures.inferences},
          {"execution_count", figures.executions},
          {"inference_stats",
           {{"success", json_of(figures.success)},
            {"fail", json_of(figures.fail)},
            {"queue", json_of(figures.queue)},
            {"compute_input", json_of(figures.compute.input)},
            {"compute_infer", json_of(figures.compute.infer)},
            {"compute_output", json_of(figures.compute.output)},
            {"cache_hit", json_of(figures.cache_hit)},
            {"cache_miss", json_of(figures.cache_miss)}}},
          {"batch_stats", batch_statistics_of(figures)}};
}

}  // namespace stad::server
