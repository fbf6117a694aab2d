#pragma once

#include <string>
#include <string_view>

#include <grpcpp/support/status.h>

namespace stad::server {

/// The gRPC status of an HTTP status. The message is shortened to what clients accept in a trailer.
grpc::Status grpc_status(int http_status, std::string_view message);

/// At most 1024 bytes, cut between characters of UTF-8.
std::string trailer_text(std::string_view message);

}  // namespace stad::server
