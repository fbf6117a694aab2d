// The paths of the Open Inference Protocol, version 2.
#include <cstdint>

#include <fmt/format.h>

#include <stad/version.hpp>

#include "server/http/digest.hpp"
#include "server/http/json.hpp"
#include "server/http/routes.hpp"

namespace stad::server {
namespace {

Json tensor_json(const char* name, const char* datatype, std::initializer_list<Index> shape) {
  return {{"name", name}, {"datatype", datatype}, {"shape", shape}};
}

Json input_of(const Model& model) {
  if (const auto& shape = model.image_shape())
    return tensor_json("images", "FP32", {-1, shape->channels, shape->height, shape->width});
  return tensor_json("features", "FP32", {-1, model.source().dimension()});
}

Json metadata_of(const Model& model) {
  const Index classes = model.source().classes();
  Json outputs{tensor_json("label", "INT64", {-1}), tensor_json("probabilities", "FP32", {-1, classes}),
               tensor_json("source_label", "INT64", {-1}), tensor_json("adapted_label", "INT64", {-1})};
  if (model.tells_unknown()) outputs.push_back(tensor_json("unknown", "FP32", {-1}));
  return {{"name", model.name()},
          {"versions", {"1"}},
          {"platform", "stad"},
          {"inputs", Json::array({input_of(model)})},
          {"outputs", outputs},
          {"parameters", {{"method", model.specification().method}, {"mode", name_of(model.mode())}}}};
}

Json stats_of(const Model& model) {
  return {{"model_stats", Json::array({{{"name", model.name()},
                                        {"version", "1"},
                                        {"inference_count", model.rows.load()},
                                        {"execution_count", model.batches.load()}}})}};
}

std::vector<std::int64_t> integers_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  const auto is_integer = [](const Json& value) {
    return value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX);
  };
  if (found == object.end() || !found->is_array() || !std::all_of(found->begin(), found->end(), is_integer))
    refuse(400, fmt::format("{} must be an array of integers of 64 bits", key));
  return found->get<std::vector<std::int64_t>>();
}

std::string stream_of(const Json& object) {
  const auto found = object.find("sequence_id");
  if (found == object.end()) return "";
  if (found->is_number_unsigned()) return *found == 0 ? "" : found->dump();
  if (!found->is_string()) refuse(400, fmt::format("sequence_id is {}, must be a text or a count", found->dump()));
  check_stream_name("sequence_id", found->get_ref<const std::string&>());
  return found->get<std::string>();
}

}  // namespace

void Routes::answer_protocol(HttpRequest& request, const Parts& parts, const Reply& reply) {
  const auto is_get = [&] {
    if (request.method != "GET") refuse(405, fmt::format("{} cannot be done to {}", request.method, request.path));
  };
  if (parts.size() == 1) {
    is_get();
    return reply(json_response(text_of(
        {{"name", "stad"}, {"version", kVersion}, {"extensions", {"binary_tensor_data", "sequence", "statistics"}}})));
  }
  if (parts.size() == 3 && parts[1] == "health" && (parts[2] == "live" || parts[2] == "ready")) {
    is_get();
    return reply(json_response(text_of({{parts[2], true}})));
  }
  if (parts.size() < 3 || parts[1] != "models") refuse(404, fmt::format("there is nothing at {}", request.path));
  const bool has_version = parts.size() >= 5 && parts[3] == "versions";
  if (has_version && parts[4] != "1")
    refuse(404, fmt::format("model {} has no version '{}'; there is version 1", parts[2], parts[4]));
  const Parts rest(parts.begin() + (has_version ? 5 : 3), parts.end());
  const std::string deed = rest.empty() ? "" : rest[0];
  if (rest.size() > 1) refuse(404, fmt::format("there is nothing at {}", request.path));
  if (deed == "infer" || deed == "labels") {
    if (request.method != "POST") refuse(405, fmt::format("{} takes POST, not {}", request.path, request.method));
    return deed == "infer" ? infer(request, parts[2], reply) : observe(request, parts[2], reply);
  }
  is_get();
  const ModelPointer model = service_.models().find(parts[2]);
  if (deed.empty()) return reply(json_response(text_of(metadata_of(*model))));
  if (deed == "ready") return reply(json_response(text_of({{"name", model->name()}, {"ready", true}})));
  if (deed == "stats") return reply(json_response(text_of(stats_of(*model))));
  refuse(404, fmt::format("there is nothing at {}", request.path));
}

void Routes::infer(HttpRequest& request, const std::string& name, const Reply& reply) {
  const ModelPointer model = service_.models().find(name);
  InferErrand errand;
  errand.request = read_infer_request(request.body, request.json_length, settings_.tensors);
  if (!quota_.admit(request.caller.name, name, errand.request.stream))
    refuse(429, fmt::format("token {} uses {} streams already, which is its limit", request.caller.name,
                            settings_.streams_per_token));
  errand.key_is_strict = !request.idempotency_key.empty();
  errand.key = errand.key_is_strict ? std::string(request.idempotency_key) : errand.request.id;
  if (errand.key.size() > 256) refuse(400, "Idempotency-Key is longer than 256 bytes");
  if (!errand.key.empty()) errand.digest = digest_of(errand.request);
  const bool is_forwarded = forwarder_ != nullptr && model->specification().is_clustered;
  errand.done = [reply](InferOutcome outcome) {
    if (const auto* refusal = std::get_if<Refusal>(&outcome))
      return reply(error_response(refusal->status, refusal->message));
    auto& answer = std::get<InferResponse>(outcome);
    HttpResponse response;
    response.body = std::move(answer.body);
    response.json_length = answer.json_length;
    if (response.json_length) response.content_type = "application/octet-stream";
    reply(std::move(response));
  };
  if (!is_forwarded) return service_.infer(model, std::move(errand));
  check_request(*model, errand.request);
  // Workers know a repeated request by its key alone: a key with another body must be another one.
  const std::string key = errand.key.empty() ? "" : fmt::format("{}-{:016x}", errand.key, errand.digest);
  forwarder_->forward({name, errand.request.stream}, std::move(request.body), request.json_length, key,
                      std::move(errand.done));
}

void Routes::observe(HttpRequest& request, const std::string& name, const Reply& reply) {
  const Json object = object_of(request.body);
  service_.observe({name, stream_of(object)}, integers_of(object, "ids"), integers_of(object, "labels"),
                   [reply](Outcome<Observed> outcome) {
                     if (const auto* refusal = std::get_if<Refusal>(&outcome))
                       return reply(error_response(refusal->status, refusal->message));
                     const auto& observed = std::get<Observed>(outcome);
                     reply(json_response(text_of({{"used", observed.used}, {"forgotten", observed.forgotten}})));
                   });
}

}  // namespace stad::server
