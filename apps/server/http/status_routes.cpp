#include "server/http/status_routes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stad/version.hpp>

#include "server/console/console_files.hpp"
#include "server/http/event_feed.hpp"
#include "server/http/json.hpp"

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

}  // namespace

void StatusRoutes::answer(const HttpRequest& request, const Reply& reply) {
  const std::string_view path = request.target.path;
  if (request.method != "GET") reject(405, fmt::format("method {} not allowed for {}", request.method, path));
  if (path == "/livez") return reply(json_response("{}"));
  if (path == "/readyz") return reply(readiness(true));
  if (path == "/metrics") return reply(metrics_text());
  if (path == "/events") return subscribe(request, reply);
  if (path == "/openapi.json") return reply(json_response(std::string(service_file("openapi.json"))));
  reply(page_file(path, request.accepted == ContentCoding::kGzip));
}

HttpResponse StatusRoutes::readiness(bool with_cluster, const std::string& name) const {
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

HttpResponse StatusRoutes::metrics_text() {
  for (const auto& model : service_.models().all()) {
    metrics_.set_streams(model->name(), static_cast<std::int64_t>(service_.resident_streams(model->name())),
                         need(service_.store().count_streams(model->name())));
    metrics_.set_damaged(model->name(), static_cast<std::int64_t>(service_.damaged_streams(model->name())));
    metrics_.set_warning(model->name(), service_.monitor().worst_warning(model->name()));
  }
  metrics_.set_unsaved_age(service_.unsaved_age());
  metrics_.set_failed_commits(service_.store().failed_commits());
  metrics_.set_ready(readiness(true).status == 200);
  HttpResponse response;
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  response.body = metrics_.text();
  return response;
}

/// Server-sent events: the status of the stream, then its points and events.
void StatusRoutes::subscribe(const HttpRequest& request, const Reply& reply) {
  const StreamName name{query_value(request.target.query, "model").value_or(""),
                        stream_of_url(query_value(request.target.query, "stream").value_or("-"))};
  require_access(request.caller, Role::kRead, {name.model, name.stream});
  service_.stream_administration().inspect(name, [this, name, reply](Outcome<StreamReport> outcome) {
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
