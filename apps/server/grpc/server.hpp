#pragma once

#include <memory>

#include "server/access/tokens.hpp"
#include "server/http/request_limits.hpp"
#include "server/http/routes.hpp"
#include "server/service/service.hpp"
#include "serving/settings/settings.hpp"

namespace stad::server {

/// Listens for gRPC calls as long as it lives. Its destruction answers the requests that have arrived, for up to ten
/// seconds, and ends the others. To be destroyed after readiness has fallen and before the service.
class GrpcServer {
 public:
  virtual ~GrpcServer() = default;
  virtual unsigned short port() const = 0;
};

/// Throws AppError where this build has no gRPC, the address cannot be used, or it is not a loopback address and there
/// are no tokens.
/// @param settings with an address for gRPC
/// @param limits of all transports
std::unique_ptr<GrpcServer> serve_grpc(const Settings& settings, const Tokens& tokens, Metrics& metrics,
                                       RequestLimits& limits, Service& service, Routes& routes);

}  // namespace stad::server
