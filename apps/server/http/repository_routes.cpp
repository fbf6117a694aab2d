#include "server/http/repository_routes.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "server/http/json.hpp"
#include "server/http/model_descriptions.hpp"

namespace stad::server {
namespace {

/// A body may be empty.
Json body_of(const HttpRequest& request) { return request.body.empty() ? Json::object() : object_of(request.body); }

bool flag_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return false;
  if (!found->is_boolean()) reject(400, fmt::format("{} is {}, must be true or false", key, found->dump()));
  return found->get<bool>();
}

/// Triton takes a configuration and files in place of those of the repository; here the settings file holds them.
void check_load(const Json& object) {
  constexpr std::string_view kFile = "file:";
  const auto parameters = object.find("parameters");
  if (parameters == object.end()) return;
  if (!parameters->is_object()) reject(400, fmt::format("parameters is {}, must be an object", parameters->dump()));
  for (const auto& [name, value] : parameters->items())
    if (name == "config" || name.starts_with(kFile))
      reject(501, fmt::format("parameters.{} is not served: change the settings file, or add a model by "
                              "POST /admin/models",
                              name));
}

}  // namespace

void reject_unserved(const RequestTarget& target) {
  constexpr std::array<std::string_view, 4> kUnserved{"systemsharedmemory", "cudasharedmemory", "trace", "logging"};
  const PathParts& parts = target.parts;
  const auto is_unserved = [&](std::string_view part) { return std::ranges::find(kUnserved, part) != kUnserved.end(); };
  const std::size_t place = parts.size() > 3 && parts[1] == "models" ? 3 : 1;  // v2/models/MODEL/trace/setting
  if (parts.size() > place && is_unserved(parts[place]))
    reject(501, fmt::format("{} is not served: this service has no shared memory, trace and log settings over HTTP",
                            target.path));
}

/// In the background, since loading and unloading wait for the disk.
void RepositoryRoutes::answer(HttpRequest& request, const Reply& reply) {
  if (request.method != "POST")
    reject(405, fmt::format("method {} not allowed for {}, must be POST", request.method, request.target.path));
  const auto held = std::make_shared<HttpRequest>(std::move(request));
  service_.run_in_background([this, held, reply] {
    reply_errors(held->target, reply, [&] {
      const bool is_index = held->target.parts.size() == 3 && held->target.parts[2] == "index";
      reply(is_index ? index(*held) : change(*held));
    });
  });
}

HttpResponse RepositoryRoutes::index(const HttpRequest& request) const {
  const bool only_ready = flag_of(body_of(request), "ready");
  Json entries = Json::array();
  for (const auto& [name, is_loaded] : service_.model_administration().index()) {
    if (!request.caller.may_somewhere(Role::kRead, name) || (only_ready && !is_loaded)) continue;
    entries.push_back({{"name", name},
                       {"version", "1"},
                       {"state", is_loaded ? "READY" : "UNAVAILABLE"},
                       {"reason", is_loaded ? "" : "unloaded"}});
  }
  return json_response(text_of(entries));
}

HttpResponse RepositoryRoutes::change(const HttpRequest& request) {
  const PathParts& parts = request.target.parts;
  const std::string operation = parts.size() == 5 && parts[2] == "models" ? parts[4] : "";
  ModelAdministration& administration = service_.model_administration();
  if (operation == "load") {
    check_load(body_of(request));
    administration.load(parts[3], request.caller.name);
  } else if (operation == "unload") {
    body_of(request);  // unload_dependents has no effect: models are independent
    administration.unload(parts[3], request.caller.name);
  } else {
    reject(404, fmt::format("no such path: {}", request.target.path));
  }
  return json_response("{}");
}

HttpResponse RepositoryRoutes::all_statistics(const Caller& caller) const {
  Json statistics = Json::array();
  for (const auto& model : service_.models().all())
    if (caller.may_somewhere(Role::kRead, model->name())) statistics.push_back(statistics_of(*model));
  return json_response(text_of({{"model_stats", statistics}}));
}

}  // namespace stad::server
