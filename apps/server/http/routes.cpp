#include "server/http/routes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stad/version.hpp>

#include "server/console/console_files.hpp"
#include "server/http/event_feed.hpp"
#include "server/http/json.hpp"
#include "server/http/message.hpp"
#include "serving/log.hpp"

namespace stad::server {
namespace {

/// The page may load resources of this server only.
constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

HttpResponse page_file(std::string_view path, bool takes_gzip) {
  for (const auto& file : console_files()) {
    if (file.path != path) continue;
    HttpResponse response;
    response.content_type = file.content_type;
    response.body = takes_gzip ? file.gzip : file.content;
    response.headers = {{"Content-Security-Policy", std::string(kContentSecurityPolicy)},
                        {"X-Content-Type-Options", "nosniff"},
                        {"Referrer-Policy", "no-referrer"},
                        {"Cache-Control", path == "/" ? "no-cache" : "public, max-age=31536000, immutable"}};
    if (takes_gzip) response.headers.emplace_back("Content-Encoding", "gzip");
    return response;
  }
  if (path == "/") return json_response(text_of({{"name", "stad"}, {"version", kVersion}, {"page", "not built in"}}));
  reject(404, fmt::format("no such path: {}", path));
}

bool is_page(std::string_view path) { return path == "/" || path.starts_with("/assets/"); }

}  // namespace

Routes::Routes(RouteSettings settings, Service& service, Metrics& metrics, Forwarder* forwarder)
    : settings_(std::move(settings)),
      service_(service),
      metrics_(metrics),
      forwarder_(forwarder),
      quota_(settings_.streams_per_token) {}

bool Routes::is_health(std::string_view path) {
  return path == "/livez" || path == "/readyz" || path.starts_with("/v2/health/");
}

std::string_view Routes::family(std::string_view path) {
  if (path.ends_with("/infer")) return "infer";
  if (path.starts_with("/v2") && !is_health(path)) return "v2";
  if (path.starts_with("/admin")) return "admin";
  if (path == "/events") return "events";
  if (path == "/metrics") return "metrics";
  if (is_health(path)) return "health";
  return is_page(path) ? "page" : "other";
}

Role Routes::needed_role(std::string_view method, const PathParts& parts) {
  const std::string first = parts.empty() ? "" : parts[0];
  const bool is_health =
      first == "livez" || first == "readyz" || (first == "v2" && parts.size() > 1 && parts[1] == "health");
  if (is_health || first.empty() || first == "assets") return Role::kNone;
  if (first == "v2" && method == "POST") return Role::kInfer;
  if (first == "admin" && (method != "GET" || parts.back() == "state")) return Role::kAdmin;
  return Role::kRead;
}

bool Routes::is_permitted(const Caller& caller, Role needed, const PathParts& parts) {
  if (needed == Role::kNone) return true;
  const bool is_admin = parts[0] == "admin";
  if (parts.size() > 2 && parts[1] == "models") {
    if (parts[0] == "v2") return caller.may_somewhere(needed, parts[2]);
    if (is_admin && parts.size() > 4 && parts[3] == "streams")
      return caller.may(needed, {parts[2], stream_of_url(parts[4])});
    if (is_admin) return caller.may(needed, {parts[2], std::nullopt});
  }
  const bool is_listing = is_admin && parts.size() == 2 && needed == Role::kRead;  // of models, of events
  if (is_listing || parts[0] == "v2" || parts[0] == "events" || parts[0] == "openapi.json")
    return caller.may_somewhere(needed, std::nullopt);
  return caller.may(needed, {});
}

std::string_view Routes::allowed_methods(const PathParts& parts) {
  const bool takes_post = parts.size() > 3 && parts[0] == "v2" && (parts.back() == "infer" || parts.back() == "labels");
  return takes_post ? "POST" : "GET, HEAD";
}

void Routes::answer(HttpRequest request, Reply reply) {
  reply_errors(request.path, reply, [&] { dispatch(request, reply); });
}

void Routes::reply_errors(std::string_view path, const Reply& reply, const std::function<void()>& function) {
  try {
    function();
  } catch (const AppError& failure) {
    HttpResponse response = error_response(http_status(failure), failure.error.message);
    if (response.status == 405) response.headers.emplace_back("Allow", allowed_methods(path_parts(path)));
    reply(std::move(response));
  } catch (const std::exception& error) {
    log(LogLevel::kError, "a request failed unexpectedly", {{"path", std::string(path)}, {"reason", error.what()}});
    reply(error_response(500, std::string("internal error: ") + error.what()));
  }
}

void Routes::dispatch(HttpRequest& request, const Reply& reply) {
  const PathParts& parts = request.parts;
  if (!parts.empty() && parts[0] == "v2") return answer_protocol(request, reply);
  if (!parts.empty() && parts[0] == "admin") return answer_admin(request, reply);
  if (request.method != "GET") reject(405, fmt::format("method {} not allowed for {}", request.method, request.path));
  if (request.path == "/livez") return reply(json_response("{}"));
  if (request.path == "/readyz") return reply(readiness(true));
  if (request.path == "/metrics") return reply(metrics_text());
  if (request.path == "/events") return subscribe(request, reply);
  if (request.path == "/openapi.json") return reply(json_response(std::string(service_file("openapi.json"))));
  reply(page_file(request.path, request.takes_gzip));
}

std::int64_t Routes::stored_streams(const std::string& model) const {
  return need(service_.store().count_streams(model));
}

HttpResponse Routes::readiness(bool with_cluster, const std::string& name) const {
  std::vector<std::string> reasons = service_.obstacles();
  if (is_shutting_down_) reasons.emplace_back("the service is shutting down");
  if (with_cluster && forwarder_ != nullptr)
    if (auto reason = forwarder_->obstacle(); !reason.empty()) reasons.push_back(std::move(reason));
  Json body = Json::object();
  if (!name.empty()) body["name"] = name;
  body["ready"] = reasons.empty();
  if (!reasons.empty()) body["error"] = fmt::format("{}", fmt::join(reasons, "; "));
  return json_response(text_of(body), reasons.empty() ? 200 : 503);
}

HttpResponse Routes::metrics_text() {
  for (const auto& model : service_.models().all()) {
    metrics_.set_streams(model->name(), static_cast<std::int64_t>(service_.resident_streams(model->name())),
                         stored_streams(model->name()));
    metrics_.set_damaged(model->name(), static_cast<std::int64_t>(service_.damaged_streams(model->name())));
    metrics_.set_warning(model->name(), service_.worst_warning(model->name()));
  }
  metrics_.set_unsaved_age(service_.unsaved_age());
  metrics_.set_ready(readiness(true).status == 200);
  HttpResponse response;
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  response.body = metrics_.text();
  return response;
}

/// Server-sent events: the status of the stream, then its points and events.
void Routes::subscribe(const HttpRequest& request, const Reply& reply) {
  const StreamName name{query_value(request.query, "model").value_or(""),
                        stream_of_url(query_value(request.query, "stream").value_or("-"))};
  require_access(request.caller, Role::kRead, {name.model, name.stream});
  service_.inspect(name, [this, name, reply](Outcome<StreamReport> outcome) {
    if (const auto* failure = std::get_if<AppError>(&outcome))
      return reply(error_response(http_status(*failure), failure->error.message));
    HttpResponse response;
    response.content_type = "text/event-stream";
    response.headers = {{"Cache-Control", "no-store"}};
    response.feed = std::make_shared<EventFeed>();
    response.feed->add("hello", text_of(json_of(std::get<StreamReport>(outcome))));
    service_.subscribers().add(name, response.feed);
    reply(std::move(response));
  });
}

}  // namespace stad::server
