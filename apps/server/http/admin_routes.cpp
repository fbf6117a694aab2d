#include "server/http/admin_routes.hpp"

#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <stad/files.hpp>

#include "server/http/json.hpp"
#include "server/service/model_json.hpp"

namespace stad::server {
namespace {

constexpr std::int64_t kMaxRows = 1000;  // of a listing

[[noreturn]] void reject_path(const HttpRequest& request) {
  reject(404, fmt::format("no such path: {} for {}", request.target.path, request.method));
}

std::int64_t limit_of(const HttpRequest& request, std::int64_t otherwise) {
  const auto text = query_value(request.target.query, "limit");
  if (!text) return otherwise;
  std::int64_t limit = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), limit);
  if (error != std::errc() || end != text->data() + text->size() || limit < 1 || limit > kMaxRows)
    reject(400, fmt::format("limit is '{}', must be 1 to {}", *text, kMaxRows));
  return limit;
}

std::string string_at(const Json& object, const char* key, const std::string& otherwise = "") {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if (!found->is_string()) reject(400, fmt::format("{} is {}, must be a string", key, found->dump()));
  return found->get<std::string>();
}

/// A callback that replies with show(result), or with the error.
template <typename T, typename Show>
Callback<T> reply_with(const Reply& reply, Show show) {
  return [reply, show](Outcome<T> outcome) {
    if (const auto* failure = std::get_if<AppError>(&outcome))
      return reply(error_response(http_status(*failure), failure->error.message));
    reply(show(std::get<T>(outcome)));
  };
}

/// Regular files only: a device might never end.
std::string file_bytes(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown))
    reject(400, fmt::format("source is '{}', must be a file that the service can read", path));
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (!file) reject(400, fmt::format("source is '{}', must be a file that the service can read", path));
  return bytes;
}

/// The note of a new snapshot; an empty body has none.
std::string note_of(const std::string& body) {
  if (body.empty()) return "";
  std::string note = string_at(object_of(body), "note");
  if (note.size() > 1000) reject(400, "note is longer than 1000 bytes");
  return note;
}

std::int64_t snapshot_of(const std::string& body) {
  const Json object = object_of(body);
  if (!object.contains("snapshot") || !object["snapshot"].is_number_integer())
    reject(400, "snapshot must be the id of a snapshot, an integer");
  return object["snapshot"].get<std::int64_t>();
}

HttpResponse empty_object(const Done&) { return json_response("{}"); }

}  // namespace

/// Operations that wait for the disk run in the background, so that the thread of the connection continues. The views
/// of the request are valid until it is answered.
void AdminRoutes::answer(HttpRequest& request, const Reply& reply) {
  const PathParts& parts = request.target.parts;
  if (parts.size() >= 5 && parts[1] == "models" && parts[3] == "streams") return answer_stream(request, reply);
  const auto held = std::make_shared<HttpRequest>(std::move(request));
  service_.run_in_background(
      [this, held, reply] { reply_errors(held->target, reply, [&] { reply(answer_from_disk(*held)); }); });
}

HttpResponse AdminRoutes::answer_from_disk(const HttpRequest& request) {
  const PathParts& parts = request.target.parts;
  const bool is_get = request.method == "GET";
  const std::string what = parts.size() > 1 ? parts[1] : "";
  if (what == "models" && parts.size() == 2) {
    if (is_get) return list_models(request.caller);
    if (request.method == "POST") return add_model(request);
  } else if (what == "models" && parts.size() == 3 && request.method == "DELETE") {
    service_.model_administration().remove(parts[2], request.caller.name);
    return json_response("{}");
  } else if (what == "models" && parts.size() == 4 && parts[3] == "mode" && request.method == "PUT") {
    service_.model_administration().set_mode(parts[2], mode_of(string_at(object_of(request.body), "mode")),
                                             request.caller.name);
    return json_response("{}");
  } else if (what == "models" && parts.size() == 4 && parts[3] == "streams" && is_get) {
    return list_streams(request, parts[2]);
  } else if (what == "events" && parts.size() == 2 && is_get) {
    return list_events(request);
  } else if (what == "backup" && parts.size() == 2 && request.method == "POST") {
    return back_up();
  }
  reject_path(request);
}

void AdminRoutes::answer_stream(HttpRequest& request, const Reply& reply) {
  const PathParts& parts = request.target.parts;
  const StreamName name{parts[2], stream_of_url(parts[4])};
  check_stream_name("the stream's name", name.stream);
  const std::string operation = fmt::format("{} {}", request.method, parts.size() == 6 ? parts[5] : "");
  if (parts.size() > 6) reject_path(request);
  if (operation == "GET ")
    return service_.stream_administration().inspect(
        name, reply_with<StreamReport>(
                  reply, [](const StreamReport& report) { return json_response(text_of(json_of(report))); }));
  const std::string& caller = request.caller.name;
  if (operation == "DELETE ")
    return service_.stream_administration().remove(name, reply_with<Done>(reply, empty_object), caller);
  if (operation == "GET snapshots") return reply(list_snapshots(name));
  if (operation == "POST snapshots")
    return service_.stream_administration().snapshot(
        name, note_of(request.body),
        reply_with<std::int64_t>(reply,
                                 [](std::int64_t id) {
                                   return json_response(text_of({{"id", id}}), 201);
                                 }),
        caller);
  if (operation == "POST rollback")
    return service_.stream_administration().roll_back(name, snapshot_of(request.body),
                                                      reply_with<Done>(reply, empty_object), caller);
  if (operation == "POST reset")
    return service_.stream_administration().reset(name, reply_with<Done>(reply, empty_object), caller);
  if (operation == "GET state")
    return service_.stream_administration().state(name, reply_with<std::string>(reply, [](const std::string& state) {
                                                    HttpResponse response = json_response(state);
                                                    response.content_type = "application/octet-stream";
                                                    return response;
                                                  }));
  if (operation == "PUT state")
    return service_.stream_administration().restore(name, std::move(request.body),
                                                    reply_with<Done>(reply, empty_object), caller);
  reject_path(request);
}

HttpResponse AdminRoutes::list_snapshots(const StreamName& name) const {
  service_.models().find(name.model);  // throws for unknown models
  Json rows = Json::array();
  for (const auto& snapshot : need(service_.store().snapshots(name))) rows.push_back(json_of(snapshot));
  return json_response(text_of({{"snapshots", rows}}));
}

HttpResponse AdminRoutes::list_models(const Caller& caller) const {
  Json models = Json::array();
  for (const auto& model : service_.models().all()) {
    if (!caller.may_somewhere(Role::kRead, model->name())) continue;
    models.push_back(json_of(*model,
                             {.resident = service_.resident_streams(model->name()),
                              .kept = need(service_.store().count_streams(model->name())),
                              .on_disk = !data_.empty()},
                             service_.checkpoints()));
  }
  return json_response(text_of({{"models", models}}));
}

HttpResponse AdminRoutes::add_model(const HttpRequest& request) {
  Json object = object_of(request.body);
  const std::string path = string_at(object, "source");
  std::string bytes = from_base64(string_at(object, "source_base64"));
  if (path.empty() == bytes.empty())
    reject(400, "a model requires its classifier: either source (a file of the service) or source_base64");
  object.erase("source");
  object.erase("source_base64");
  if (!path.empty()) bytes = file_bytes(path);
  auto specification = specification_of(object);
  const SourceModel source = need(source_from_bytes(bytes));
  service_.model_administration().add(need(ServedModel::create(std::move(specification), source)), bytes,
                                      request.caller.name);
  return json_response("{}", 201);
}

HttpResponse AdminRoutes::list_streams(const HttpRequest& request, const std::string& model) const {
  service_.models().find(model);
  const std::int64_t limit = limit_of(request, 100);
  const auto streams = need(service_.store().streams(model, query_value(request.target.query, "after"), limit));
  Json rows = Json::array();
  for (const auto& stream : streams)
    rows.push_back({{"stream", stream.stream},
                    {"batches", stream.batches},
                    {"rows", stream.rows},
                    {"updated", stream.updated},
                    {"bytes", stream.bytes}});
  const bool is_last = static_cast<std::int64_t>(streams.size()) < limit;
  return json_response(text_of({{"streams", rows}, {"next", is_last ? Json() : Json(streams.back().stream)}}));
}

HttpResponse AdminRoutes::list_events(const HttpRequest& request) const {
  Json rows = Json::array();
  auto stream = query_value(request.target.query, "stream");
  if (stream) stream = stream_of_url(*stream);
  const std::string model = query_value(request.target.query, "model").value_or("");
  AccessTarget target;
  if (!model.empty()) target = {model, stream};
  require_access(request.caller, Role::kRead, target);
  for (const auto& event : need(service_.store().events(model, stream, limit_of(request, 100))))
    rows.push_back(json_of(event));
  return json_response(text_of({{"events", rows}}));
}

HttpResponse AdminRoutes::back_up() {
  if (data_.empty()) reject(409, "this service stores nothing on disk: backup not available");
  const std::unique_lock lock(backing_up_, std::try_to_lock);
  if (!lock) reject(409, "a backup is running; try again later");
  const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto milliseconds = now.time_since_epoch().count() % 1000;  // distinguishes backups of one second
  const auto path =
      std::filesystem::path(data_) /
      fmt::format("backup-{:%Y%m%dT%H%M%S}.{:03}Z.sqlite", std::chrono::floor<std::chrono::seconds>(now), milliseconds);
  need(service_.store().backup(path.string()));
  return json_response(text_of({{"path", path.string()}}), 201);
}

}  // namespace stad::server
