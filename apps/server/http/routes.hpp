#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "server/access/tokens.hpp"
#include "server/http/message.hpp"
#include "server/service/service.hpp"
#include "serving/forwarder.hpp"

namespace stad::server {

/// Answers HTTP requests, independent of sockets.
class Routes {
 public:
  using Reply = std::function<void(HttpResponse)>;

  /// @param forwarder for models of a cluster; null: there are none
  Routes(RouteSettings settings, Service& service, Metrics& metrics, Forwarder* forwarder = nullptr);

  /// The family of a path, a label of metrics: one of few words for any path.
  static std::string_view family(std::string_view path);

  /// Whether the path is one of liveness and readiness.
  static bool is_health(std::string_view path);

  /// The role a caller needs; kNone for public paths.
  static Role needed_role(std::string_view method, const PathParts& parts);

  /// Whether the caller's grants cover the path. Where the stream or the model is named by the body or the query, a
  /// grant for part of it suffices here, and the route checks the rest.
  static bool is_permitted(const Caller& caller, Role needed, const PathParts& parts);

  /// The methods that a path takes, for the field Allow of a 405.
  static std::string_view allowed_methods(const PathParts& parts);

  /// Readiness answers 503 from now on.
  void begin_shutdown() { is_shutting_down_ = true; }

  /// Calls `reply` once, now or later, from any thread. Does not throw.
  void answer(HttpRequest request, Reply reply);

 private:
  /// Calls the function; an exception becomes an error response.
  static void reply_errors(std::string_view path, const Reply& reply, const std::function<void()>& function);
  void dispatch(HttpRequest& request, const Reply& reply);
  void answer_protocol(HttpRequest& request, const Reply& reply);
  void answer_model(HttpRequest& request, const Reply& reply);
  void infer(HttpRequest& request, const std::string& name, const Reply& reply);
  void observe(HttpRequest& request, const std::string& name, const Reply& reply);
  void answer_admin(HttpRequest& request, const Reply& reply);
  HttpResponse answer_from_disk(const HttpRequest& request);
  void answer_stream(HttpRequest& request, const Reply& reply);
  HttpResponse list_snapshots(const StreamName& name) const;
  HttpResponse list_models(const Caller& caller) const;
  HttpResponse add_model(const HttpRequest& request);
  HttpResponse list_streams(const HttpRequest& request, const std::string& model) const;
  HttpResponse list_events(const HttpRequest& request) const;
  HttpResponse back_up();
  void subscribe(const HttpRequest& request, const Reply& reply);
  /// 200, or 503 with the reasons.
  /// @param with_cluster whether the connection to the cluster counts
  /// @param name of a model; empty: of none
  HttpResponse readiness(bool with_cluster, const std::string& name = "") const;
  HttpResponse metrics_text();
  std::int64_t stored_streams(const std::string& model) const;

  const RouteSettings settings_;
  Service& service_;
  Metrics& metrics_;
  Forwarder* forwarder_;
  StreamQuota quota_;
  std::mutex backing_up_;
  std::atomic<bool> is_shutting_down_{false};
};

}  // namespace stad::server
