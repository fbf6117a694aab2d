#include "server/grpc/status.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace stad::server {
namespace {

struct StatusPair {
  int http;
  grpc::StatusCode grpc;
};
constexpr std::array kStatuses{
    StatusPair{400, grpc::StatusCode::INVALID_ARGUMENT},    StatusPair{401, grpc::StatusCode::UNAUTHENTICATED},
    StatusPair{403, grpc::StatusCode::PERMISSION_DENIED},   StatusPair{404, grpc::StatusCode::NOT_FOUND},
    StatusPair{405, grpc::StatusCode::UNIMPLEMENTED},       StatusPair{408, grpc::StatusCode::DEADLINE_EXCEEDED},
    StatusPair{409, grpc::StatusCode::FAILED_PRECONDITION}, StatusPair{413, grpc::StatusCode::RESOURCE_EXHAUSTED},
    StatusPair{422, grpc::StatusCode::INVALID_ARGUMENT},    StatusPair{429, grpc::StatusCode::RESOURCE_EXHAUSTED},
    StatusPair{499, grpc::StatusCode::CANCELLED},           StatusPair{500, grpc::StatusCode::INTERNAL},
    StatusPair{501, grpc::StatusCode::UNIMPLEMENTED},       StatusPair{503, grpc::StatusCode::UNAVAILABLE},
    StatusPair{504, grpc::StatusCode::DEADLINE_EXCEEDED}};

constexpr std::size_t kMaxMessage = 1024;  // bytes: the trailers must stay below the 8 KB that clients accept

}  // namespace

std::string trailer_text(std::string_view message) {
  std::size_t size = std::min(message.size(), kMaxMessage);
  while (size > 0 && size < message.size() && (static_cast<unsigned char>(message[size]) & 0xc0) == 0x80) --size;
  return std::string(message.substr(0, size));
}

grpc::Status grpc_status(int http_status, std::string_view message) {
  if (http_status < 400) return grpc::Status::OK;
  for (const auto& [http, code] : kStatuses)
    if (http == http_status) return {code, trailer_text(message)};
  return {http_status < 500 ? grpc::StatusCode::INVALID_ARGUMENT : grpc::StatusCode::INTERNAL, trailer_text(message)};
}

}  // namespace stad::server
