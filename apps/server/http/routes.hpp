#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "server/http/admin_routes.hpp"
#include "server/http/message.hpp"
#include "server/http/repository_routes.hpp"
#include "server/http/status_routes.hpp"
#include "server/service/service.hpp"
#include "serving/forwarder.hpp"
#include "serving/settings/settings.hpp"

namespace stad::server {

/// Answers HTTP requests, independent of sockets: those of the Open Inference Protocol, version 2, itself, the others
/// by RepositoryRoutes, AdminRoutes and StatusRoutes.
class Routes {
 public:
  /// @param forwarder for models of a cluster; null: there are none
  Routes(RouteSettings settings, Service& service, Metrics& metrics, Forwarder* forwarder = nullptr)
      : tensors_(settings.tensors),
        service_(service),
        repository_(service),
        admin_(std::move(settings.data), service),
        status_(service, metrics, forwarder) {}

  /// Calls `reply` once, now or later, from any thread. Does not throw.
  void answer(HttpRequest request, const Reply& reply);

  /// Readiness answers 503 from now on.
  void begin_shutdown() { status_.begin_shutdown(); }

 private:
  void dispatch(HttpRequest& request, const Reply& reply);
  void answer_protocol(HttpRequest& request, const Reply& reply);
  void answer_model(HttpRequest& request, const Reply& reply);
  void infer(HttpRequest& request, const std::string& name, const Reply& reply);
  void observe(HttpRequest& request, const std::string& name, const Reply& reply);

  const TensorLimits tensors_;
  Service& service_;
  RepositoryRoutes repository_;
  AdminRoutes admin_;
  StatusRoutes status_;
};

}  // namespace stad::server
