// What people do to models and streams, below /admin.
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <stad/files.hpp>

#include "server/http/base64.hpp"
#include "server/http/json.hpp"
#include "server/http/routes.hpp"
#include "server/serving/model_json.hpp"

namespace stad::server {
namespace {

constexpr std::int64_t kMostLines = 1000;  // of a listing

[[noreturn]] void refuse_path(const HttpRequest& request) {
  refuse(404, fmt::format("there is nothing at {} for {}", request.path, request.method));
}

std::int64_t limit_of(const HttpRequest& request, std::int64_t otherwise) {
  const auto text = query_value(request.query, "limit");
  if (!text) return otherwise;
  std::int64_t limit = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), limit);
  if (error != std::errc() || end != text->data() + text->size() || limit < 1 || limit > kMostLines)
    refuse(400, fmt::format("limit is '{}', must be 1 to {}", *text, kMostLines));
  return limit;
}

std::string text_at(const Json& object, const char* key, const std::string& otherwise = "") {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if (!found->is_string()) refuse(400, fmt::format("{} is {}, must be a text", key, found->dump()));
  return found->get<std::string>();
}

/// Tells an outcome as JSON.
template <typename T, typename Show>
Tell<T> telling(const Routes::Reply& reply, Show show) {
  return [reply, show](Outcome<T> outcome) {
    if (const auto* refusal = std::get_if<Refusal>(&outcome))
      return reply(error_response(refusal->status, refusal->message));
    reply(show(std::get<T>(outcome)));
  };
}

/// A folder cannot be read, and a device might never end.
std::string file_bytes(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown))
    refuse(400, fmt::format("source is '{}', must be a file that the service can read", path));
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (!file) refuse(400, fmt::format("source is '{}', must be a file that the service can read", path));
  return bytes;
}

HttpResponse nothing_more(const Done&) { return json_response("{}"); }

}  // namespace

/// What waits for the disk is done elsewhere, so that a connection's thread goes on. The texts of the request live
/// until it is answered.
void Routes::answer_admin(HttpRequest& request, const Parts& parts, const Reply& reply) {
  if (parts.size() >= 5 && parts[1] == "models" && parts[3] == "streams") return answer_stream(request, parts, reply);
  const auto held = std::make_shared<HttpRequest>(std::move(request));
  service_.do_elsewhere(
      [this, held, parts, reply] { answering(held->path, reply, [&] { reply(answer_from_disk(*held, parts)); }); });
}

HttpResponse Routes::answer_from_disk(const HttpRequest& request, const Parts& parts) {
  const bool is_get = request.method == "GET";
  const std::string what = parts.size() > 1 ? parts[1] : "";
  if (what == "models" && parts.size() == 2) {
    if (is_get) return list_models();
    if (request.method == "POST") return add_model(request);
  } else if (what == "models" && parts.size() == 3 && request.method == "DELETE") {
    service_.remove_model(parts[2]);
    return json_response("{}");
  } else if (what == "models" && parts.size() == 4 && parts[3] == "mode" && request.method == "PUT") {
    service_.set_mode(parts[2], mode_of(text_at(object_of(request.body), "mode")));
    return json_response("{}");
  } else if (what == "models" && parts.size() == 4 && parts[3] == "streams" && is_get) {
    return list_streams(request, parts[2]);
  } else if (what == "events" && parts.size() == 2 && is_get) {
    return list_events(request);
  } else if (what == "backup" && parts.size() == 2 && request.method == "POST") {
    return back_up();
  }
  refuse_path(request);
}

void Routes::answer_stream(HttpRequest& request, const Parts& parts, const Reply& reply) {
  const StreamName name{parts[2], stream_called(parts[4])};
  check_stream_name("the stream's name", name.stream);
  const std::string deed = fmt::format("{} {}", request.method, parts.size() == 6 ? parts[5] : "");
  if (parts.size() > 6) refuse_path(request);
  if (deed == "GET ")
    return service_.inspect(name, telling<StreamReport>(reply, [](const StreamReport& report) {
                              return json_response(text_of(json_of(report)));
                            }));
  if (deed == "DELETE ") return service_.remove(name, telling<Done>(reply, nothing_more));
  if (deed == "GET snapshots") {
    service_.models().find(name.model);
    Json lines = Json::array();
    for (const auto& snapshot : need(service_.store().snapshots(name))) lines.push_back(json_of(snapshot));
    return reply(json_response(text_of({{"snapshots", lines}})));
  }
  if (deed == "POST snapshots") {
    const std::string why = request.body.empty() ? "" : text_at(object_of(request.body), "note");
    if (why.size() > 1000) refuse(400, "note is longer than 1000 bytes");
    return service_.snapshot(name, why, telling<std::int64_t>(reply, [](std::int64_t id) {
                               return json_response(text_of({{"id", id}}), 201);
                             }));
  }
  if (deed == "POST rollback") {
    const Json object = object_of(request.body);
    if (!object.contains("snapshot") || !object["snapshot"].is_number_integer())
      refuse(400, "snapshot must be the id of one, an integer");
    return service_.roll_back(name, object["snapshot"].get<std::int64_t>(), telling<Done>(reply, nothing_more));
  }
  if (deed == "POST reset") return service_.reset(name, telling<Done>(reply, nothing_more));
  if (deed == "GET state")
    return service_.state(name, telling<std::string>(reply, [](const std::string& state) {
                            HttpResponse response = json_response(state);
                            response.content_type = "application/octet-stream";
                            return response;
                          }));
  if (deed == "PUT state") return service_.restore(name, std::move(request.body), telling<Done>(reply, nothing_more));
  refuse_path(request);
}

HttpResponse Routes::list_models() const {
  Json models = Json::array();
  for (const auto& model : service_.models().all())
    models.push_back(json_of(*model,
                             {.resident = service_.resident_streams(model->name()),
                              .kept = kept_streams(model->name()),
                              .on_disk = !settings_.data.empty()},
                             service_.keeping()));
  return json_response(text_of({{"models", models}}));
}

HttpResponse Routes::add_model(const HttpRequest& request) {
  Json object = object_of(request.body);
  const std::string path = text_at(object, "source");
  std::string bytes = from_base64(text_at(object, "source_base64"));
  if (path.empty() == bytes.empty()) refuse(400, "a model needs its head: source (a file here) or source_base64");
  object.erase("source");
  object.erase("source_base64");
  if (!path.empty()) bytes = file_bytes(path);
  auto specification = specification_of(object);
  const SourceModel source = need(source_from_bytes(bytes));
  service_.add_model(need(Model::create(std::move(specification), source)), bytes);
  return json_response("{}", 201);
}

HttpResponse Routes::list_streams(const HttpRequest& request, const std::string& model) const {
  service_.models().find(model);
  const std::int64_t limit = limit_of(request, 100);
  const auto streams = need(service_.store().streams(model, query_value(request.query, "after"), limit));
  Json lines = Json::array();
  for (const auto& line : streams)
    lines.push_back({{"stream", line.stream},
                     {"batches", line.batches},
                     {"rows", line.rows},
                     {"updated", line.updated},
                     {"bytes", line.bytes}});
  const bool is_last = static_cast<std::int64_t>(streams.size()) < limit;
  return json_response(text_of({{"streams", lines}, {"next", is_last ? Json() : Json(streams.back().stream)}}));
}

HttpResponse Routes::list_events(const HttpRequest& request) const {
  Json lines = Json::array();
  auto stream = query_value(request.query, "stream");
  if (stream) stream = stream_called(*stream);
  for (const auto& event :
       need(service_.store().events(query_value(request.query, "model").value_or(""), stream, limit_of(request, 100))))
    lines.push_back(json_of(event));
  return json_response(text_of({{"events", lines}}));
}

HttpResponse Routes::back_up() {
  if (settings_.data.empty()) refuse(409, "this service keeps nothing on disk: there is nothing to back up");
  const std::unique_lock turn(backing_up_, std::try_to_lock);
  if (!turn) refuse(409, "a backup is under way; try again when it is done");
  const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto milliseconds = now.time_since_epoch().count() % 1000;  // two of one second have two names
  const auto path =
      std::filesystem::path(settings_.data) /
      fmt::format("backup-{:%Y%m%dT%H%M%S}.{:03}Z.sqlite", std::chrono::floor<std::chrono::seconds>(now), milliseconds);
  need(service_.store().backup(path.string()));
  return json_response(text_of({{"path", path.string()}}), 201);
}

}  // namespace stad::server
