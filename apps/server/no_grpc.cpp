// A build without STAD_GRPC.
#include "common/error.hpp"
#include "server/grpc/server.hpp"

namespace stad::server {

std::unique_ptr<GrpcServer> serve_grpc(const Settings&, const Tokens&, Metrics&, RequestLimits&, Service&, Routes&) {
  reject(400, "grpc requires a service built with gRPC: configure with -DSTAD_GRPC=ON");
}

}  // namespace stad::server
