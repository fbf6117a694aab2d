#include "server/grpc/methods.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <google/protobuf/util/json_util.h>
#include <open_inference.pb.h>
#include <nlohmann/json.hpp>

#include "server/http/admission.hpp"

namespace stad::server {
namespace {

using google::protobuf::Message;
using google::protobuf::io::ZeroCopyInputStream;

#define STAD_METHOD(name) "/inference.GRPCInferenceService/" name
constexpr std::array kMethods{
    GrpcMethod{STAD_METHOD("ModelInfer"), MethodKind::kInfer, Role::kInfer, "grpc-infer"},
    GrpcMethod{STAD_METHOD("ModelStreamInfer"), MethodKind::kStreamInfer, Role::kInfer, "grpc-stream"},
    GrpcMethod{STAD_METHOD("ServerLive"), MethodKind::kServerLive, Role::kNone, "grpc-health"},
    GrpcMethod{STAD_METHOD("ServerReady"), MethodKind::kServerReady, Role::kNone, "grpc-health"},
    GrpcMethod{STAD_METHOD("ServerMetadata"), MethodKind::kServerMetadata, Role::kRead, "grpc-v2"},
    GrpcMethod{STAD_METHOD("ModelReady"), MethodKind::kModelReady, Role::kRead, "grpc-v2"},
    GrpcMethod{STAD_METHOD("ModelMetadata"), MethodKind::kModelMetadata, Role::kRead, "grpc-v2"}};
#undef STAD_METHOD

template <typename Request>
Request read(ZeroCopyInputStream& stream) {
  Request request;
  if (!request.ParseFromZeroCopyStream(&stream))
    reject(400, "the message is not a " + std::string(Request::descriptor()->name()));
  return request;
}

/// v2/models/NAME[/versions/VERSION][/OPERATION] of REST.
template <typename Request>
PathParts model_parts(ZeroCopyInputStream& stream, const char* operation) {
  const auto request = read<Request>(stream);
  PathParts parts{"v2", "models", request.name()};
  if (!request.version().empty()) parts.insert(parts.end(), {"versions", request.version()});
  if (*operation != '\0') parts.emplace_back(operation);
  return parts;
}

PathParts parts_of(MethodKind kind, ZeroCopyInputStream& stream) {
  switch (kind) {
    case MethodKind::kServerLive:
      return {"v2", "health", "live"};
    case MethodKind::kServerReady:
      return {"v2", "health", "ready"};
    case MethodKind::kModelReady:
      return model_parts<inference::ModelReadyRequest>(stream, "ready");
    case MethodKind::kModelMetadata:
      return model_parts<inference::ModelMetadataRequest>(stream, "");
    default:
      return {"v2"};
  }
}

std::unique_ptr<Message> response_of(MethodKind kind) {
  switch (kind) {
    case MethodKind::kServerLive:
      return std::make_unique<inference::ServerLiveResponse>();
    case MethodKind::kServerReady:
      return std::make_unique<inference::ServerReadyResponse>();
    case MethodKind::kModelReady:
      return std::make_unique<inference::ModelReadyResponse>();
    case MethodKind::kModelMetadata:
      return std::make_unique<inference::ModelMetadataResponse>();
    default:
      return std::make_unique<inference::ServerMetadataResponse>();
  }
}

/// These routes reply before they return.
HttpResponse response_at(const std::string& path, PathParts parts, const Caller& caller, Routes& routes) {
  HttpRequest request;
  request.method = "GET";
  request.target.path = path;
  request.target.parts = std::move(parts);
  request.caller = caller;
  std::optional<HttpResponse> response;
  routes.answer(std::move(request), [&response](HttpResponse found) { response = std::move(found); });
  if (!response) reject(500, "internal error: no response of " + path);
  return *std::move(response);
}

}  // namespace

std::optional<GrpcMethod> method_at(std::string_view path) {
  const auto found = std::ranges::find(kMethods, path, &GrpcMethod::path);
  return found == kMethods.end() ? std::nullopt : std::optional(*found);
}

std::string describe_by_route(MethodKind kind, ZeroCopyInputStream& request, const Caller& caller, Routes& routes) {
  PathParts parts = parts_of(kind, request);
  std::string path;
  for (const auto& part : parts) path += "/" + part;
  check_permission(caller, needed_role("GET", parts), "GET", path, parts);
  const HttpResponse response = response_at(path, std::move(parts), caller, routes);
  const bool may_be_unready = kind == MethodKind::kServerReady || kind == MethodKind::kModelReady;
  if (response.status >= 400 && !(may_be_unready && response.status == 503))
    reject(response.status, nlohmann::json::parse(response.body).value("error", ""));
  const auto message = response_of(kind);
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;  // REST has more members, such as the reason for not being ready
  if (!google::protobuf::util::JsonStringToMessage(response.body, message.get(), options).ok())
    reject(500, "internal error: the response of " + path + " has another form");
  return message->SerializeAsString();
}

}  // namespace stad::server
