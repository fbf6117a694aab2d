#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "common/error.hpp"
#include "server/access/tokens.hpp"
#include "server/http/routes.hpp"

namespace google::protobuf::io {
class ZeroCopyInputStream;
}

namespace stad::server {

enum class MethodKind { kServerLive, kServerReady, kServerMetadata, kModelReady, kModelMetadata, kInfer, kStreamInfer };

/// A method of GRPCInferenceService.
struct GrpcMethod {
  std::string_view path;  ///< of HTTP/2
  MethodKind kind;
  Role needed;              ///< kNone: requires no token
  std::string_view family;  ///< label of metrics
};

/// None: there is no such method.
std::optional<GrpcMethod> method_at(std::string_view path);

/// Answers a method other than inference by the route of REST with the same result, so that rules, permissions and
/// messages are the same. Throws AppError.
/// @param request a serialized message
/// @return a serialized message
std::string describe_by_route(MethodKind kind, google::protobuf::io::ZeroCopyInputStream& request, const Caller& caller,
                              Routes& routes);

}  // namespace stad::server
