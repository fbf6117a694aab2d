#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/access/permissions.hpp"
#include "server/access/tokens.hpp"
#include "server/http/content_coding.hpp"

namespace stad::server {

class EventFeed;

/// To whom a request is addressed. Views are valid as long as the message of the connection.
struct RequestTarget {
  std::string_view host;   ///< of an absolute target, or of the Host field
  std::string_view path;   ///< percent-encoded
  std::string_view query;  ///< without "?"
  PathParts parts;         ///< of the path
};

/// Whether the path is one of liveness and readiness.
bool is_health(std::string_view path);

/// Views are valid as long as the message of the connection.
struct HttpRequest {
  std::string_view method;
  RequestTarget target;
  std::string_view content_type;
  std::string_view idempotency_key;
  ContentCoding accepted = ContentCoding::kIdentity;  ///< of the answer, by Accept-Encoding
  std::optional<std::size_t> json_length;             ///< Inference-Header-Content-Length
  std::string body;                                   ///< without its content coding
  Caller caller;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::optional<std::size_t> json_length;
  std::vector<std::pair<std::string, std::string>> headers;
  bool may_be_compressed = false;   ///< where the client accepts it
  std::shared_ptr<EventFeed> feed;  ///< server-sent events that follow the body; null: none
};

/// Called once, from any thread.
using Reply = std::function<void(HttpResponse)>;

HttpResponse json_response(std::string body, int status = 200);
HttpResponse error_response(int status, std::string_view message);
/// Compresses a body that may be compressed and is not short. For the thread of the connection: answers may come from a
/// thread that writes to the disk.
void compress(HttpResponse& response, ContentCoding coding);

/// Throws AppError where an escape is invalid.
PathParts path_parts(std::string_view path);
/// The decoded value of a key of the query, or none.
std::optional<std::string> query_value(std::string_view query, std::string_view key);

/// Calls the function; an exception becomes an error response.
void reply_errors(const RequestTarget& target, const Reply& reply, const std::function<void()>& function);

/// The family of a path, a label of metrics: one of few words for any path.
std::string_view family_of(std::string_view path);

/// Throws AppError where the text is not base64.
std::string from_base64(std::string_view text);

/// A file that is compiled in: openapi.json.
std::string_view service_file(std::string_view file);

}  // namespace stad::server
