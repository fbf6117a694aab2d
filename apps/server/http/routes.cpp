#include "server/http/routes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "server/http/header_text.hpp"
#include "server/http/json.hpp"
#include "server/http/model_descriptions.hpp"
#include "serving/log.hpp"
#include "serving/protocol/infer_request.hpp"

namespace stad::server {
namespace {

std::vector<std::int64_t> integers_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  const auto is_integer = [](const Json& value) {
    return value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX);
  };
  if (found == object.end() || !found->is_array() || !std::all_of(found->begin(), found->end(), is_integer))
    reject(400, fmt::format("{} must be an array of integers of 64 bits", key));
  return found->get<std::vector<std::int64_t>>();
}

std::string stream_of(const Json& object) {
  const auto found = object.find("sequence_id");
  if (found == object.end()) return "";
  if (found->is_number_unsigned()) return *found == 0 ? "" : found->dump();
  if (!found->is_string())
    reject(400, fmt::format("sequence_id is {}, must be a string or an unsigned integer", found->dump()));
  check_stream_name("sequence_id", found->get_ref<const std::string&>());
  return found->get<std::string>();
}

/// Lenient: curl names form data unless told otherwise, and other clients name nothing. Throws AppError (415).
void check_content_type(std::string_view field) {
  const std::string_view type = trimmed(field.substr(0, field.find(';')));
  constexpr std::string_view kJsonSuffix = "+json";
  constexpr std::array<std::string_view, 5> kTaken{"", "application/json", "application/octet-stream",
                                                   "application/x-www-form-urlencoded", "text/plain"};
  const auto is_type = [&](std::string_view taken) { return are_equal_in_any_case(type, taken); };
  if (std::ranges::any_of(kTaken, is_type) || type.ends_with(kJsonSuffix)) return;
  reject(415, fmt::format("Content-Type is '{}', must be application/json or application/octet-stream", field));
}

void require_get(const HttpRequest& request) {
  if (request.method != "GET")
    reject(405, fmt::format("method {} not allowed for {}", request.method, request.target.path));
}

/// A callback that replies with the response of a stream, or with the error.
Callback<InferResponse> reply_to(const Reply& reply) {
  return [reply](InferOutcome outcome) {
    if (const auto* failure = std::get_if<AppError>(&outcome))
      return reply(error_response(http_status(*failure), failure->error.message));
    auto& answer = std::get<InferResponse>(outcome);
    HttpResponse response = json_response(std::move(answer.body));
    response.json_length = answer.json_length;
    if (response.json_length) response.content_type = "application/octet-stream";
    response.may_be_compressed = true;
    reply(std::move(response));
  };
}

}  // namespace

void Routes::answer(HttpRequest request, const Reply& reply) {
  reply_errors(request.target, reply, [&] { dispatch(request, reply); });
}

void Routes::dispatch(HttpRequest& request, const Reply& reply) {
  const PathParts& parts = request.target.parts;
  if (!parts.empty() && parts[0] == "v2") return answer_protocol(request, reply);
  if (!parts.empty() && parts[0] == "admin") return admin_.answer(request, reply);
  status_.answer(request, reply);
}

void Routes::answer_protocol(HttpRequest& request, const Reply& reply) {
  const PathParts& parts = request.target.parts;
  if (parts.size() == 1) {
    require_get(request);
    return reply(json_response(text_of(server_metadata())));
  }
  if (parts.size() == 3 && parts[1] == "health" && (parts[2] == "live" || parts[2] == "ready")) {
    require_get(request);
    return reply(parts[2] == "ready" ? status_.readiness(true) : json_response(text_of({{"live", true}})));
  }
  if (parts[1] == "repository") return repository_.answer(request, reply);
  reject_unserved(request.target);
  if (parts.size() == 3 && parts[1] == "models" && parts[2] == "stats") {
    require_get(request);
    return reply(repository_.all_statistics(request.caller));
  }
  if (parts.size() < 3 || parts[1] != "models") reject(404, fmt::format("no such path: {}", request.target.path));
  answer_model(request, reply);
}

/// Paths v2/models/MODEL[/versions/1][/OPERATION].
void Routes::answer_model(HttpRequest& request, const Reply& reply) {
  const PathParts& parts = request.target.parts;
  const bool has_version = parts.size() >= 5 && parts[3] == "versions";
  if (has_version && parts[4] != "1")
    reject(404, fmt::format("model {} has no version '{}', must be 1", parts[2], parts[4]));
  const PathParts rest(parts.begin() + (has_version ? 5 : 3), parts.end());
  const std::string operation = rest.empty() ? "" : rest[0];
  if (rest.size() > 1) reject(404, fmt::format("no such path: {}", request.target.path));
  if (operation == "infer" || operation == "labels") {
    if (request.method != "POST")
      reject(405, fmt::format("method {} not allowed for {}, must be POST", request.method, request.target.path));
    return operation == "infer" ? infer(request, parts[2], reply) : observe(request, parts[2], reply);
  }
  require_get(request);
  const ModelPointer model = service_.models().find(parts[2]);
  if (operation.empty()) return reply(json_response(text_of(metadata_of(*model))));
  if (operation == "ready") return reply(status_.readiness(model->specification().is_clustered, model->name()));
  if (operation == "config") return reply(json_response(text_of(config_of(*model, tensors_.rows))));
  if (operation == "stats")
    return reply(json_response(text_of({{"model_stats", Json::array({statistics_of(*model)})}})));
  reject(404, fmt::format("no such path: {}", request.target.path));
}

void Routes::infer(HttpRequest& request, const std::string& name, const Reply& reply) {
  check_content_type(request.content_type);
  const ModelPointer model = service_.models().find(name);
  InferCall call{.request = read_infer_request(request.body, request.json_length, tensors_),
                 .idempotency_key = std::string(request.idempotency_key),
                 .body = std::move(request.body),
                 .json_length = request.json_length};
  service_.inference().infer(request.caller, model, std::move(call), reply_to(reply));
}

void Routes::observe(HttpRequest& request, const std::string& name, const Reply& reply) {
  const Json object = object_of(request.body);
  LabelCall call{.stream = {name, stream_of(object)},
                 .ids = integers_of(object, "ids"),
                 .labels = integers_of(object, "labels"),
                 .body = std::move(request.body)};
  service_.inference().observe(request.caller, std::move(call), reply_to(reply));
}

}  // namespace stad::server
