#pragma once

#include <atomic>
#include <string>

#include "server/http/message.hpp"
#include "server/service/metrics.hpp"
#include "server/service/service.hpp"
#include "serving/forwarder.hpp"

namespace stad::server {

/// Routes that show the service: liveness, readiness, metrics, events, the page and the description of the interface.
class StatusRoutes {
 public:
  /// @param forwarder for models of a cluster; null: there are none
  StatusRoutes(Service& service, Metrics& metrics, Forwarder* forwarder)
      : service_(service), metrics_(metrics), forwarder_(forwarder) {}

  /// Throws AppError.
  void answer(const HttpRequest& request, const Reply& reply);

  /// 200, or 503 with the reasons.
  /// @param with_cluster whether the connection to the cluster counts
  /// @param name of a model; empty: of none
  HttpResponse readiness(bool with_cluster, const std::string& name = "") const;
  void begin_shutdown() { is_shutting_down_ = true; }

 private:
  HttpResponse metrics_text();
  void subscribe(const HttpRequest& request, const Reply& reply);

  Service& service_;
  Metrics& metrics_;
  Forwarder* const forwarder_;
  std::atomic<bool> is_shutting_down_{false};
};

}  // namespace stad::server
