#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "server/access/stream_quota.hpp"
#include "server/http/message.hpp"
#include "server/serving/forwarder.hpp"
#include "server/serving/service.hpp"

namespace stad::server {

struct RouteSettings {
  TensorLimits tensors;
  std::size_t streams_per_token = 0;  ///< 0: as many as one likes
  std::string data;                   ///< where backups go; empty: nothing is kept
};

/// Everything that can be asked of the service over HTTP, apart from sockets.
class Routes {
 public:
  using Reply = std::function<void(HttpResponse)>;

  /// @param forwarder for models of a cluster; null: there are none
  Routes(RouteSettings settings, Service& service, Metrics& metrics, Forwarder* forwarder = nullptr);

  /// Which family a path belongs to, for metrics: few words, whatever is asked.
  static std::string_view family(std::string_view path);
  using Parts = std::vector<std::string>;  ///< of a path, decoded: what is asked is decided by them alone

  /// What a caller must be allowed; none for what anybody may see.
  static Role needed_role(std::string_view method, const Parts& parts);

  /// Calls `reply` once, now or later, from any thread. Never throws.
  void answer(HttpRequest request, Reply reply);

 private:
  /// Does the work and tells what it throws.
  static void answering(std::string_view path, const Reply& reply, const std::function<void()>& work);
  void dispatch(HttpRequest& request, const Reply& reply);
  void answer_protocol(HttpRequest& request, const Parts& parts, const Reply& reply);
  void infer(HttpRequest& request, const std::string& model, const Reply& reply);
  void observe(HttpRequest& request, const std::string& model, const Reply& reply);
  void answer_admin(HttpRequest& request, const Parts& parts, const Reply& reply);
  HttpResponse answer_from_disk(const HttpRequest& request, const Parts& parts);
  void answer_stream(HttpRequest& request, const Parts& parts, const Reply& reply);
  HttpResponse list_models() const;
  HttpResponse add_model(const HttpRequest& request);
  HttpResponse list_streams(const HttpRequest& request, const std::string& model) const;
  HttpResponse list_events(const HttpRequest& request) const;
  HttpResponse back_up();
  void watch(const HttpRequest& request, const Reply& reply);
  HttpResponse metrics_text();
  std::int64_t kept_streams(const std::string& model) const;

  const RouteSettings settings_;
  Service& service_;
  Metrics& metrics_;
  Forwarder* forwarder_;
  StreamQuota quota_;
  std::mutex backing_up_;
};

}  // namespace stad::server
