#pragma once

#include <memory>

#include "server/access/tokens.hpp"
#include "server/http/request_limits.hpp"
#include "server/http/routes.hpp"
#include "serving/settings/settings.hpp"

namespace stad::server {

/// Accepts connections, reads requests, passes them to the routes and writes the answers. Must outlive the routes'
/// service: late answers refer to connections.
class HttpServer {
 public:
  /// Throws AppError where the address is not a loopback address and there are no tokens.
  /// @param tokens empty: every client may do everything
  HttpServer(const HttpSettings& settings, const Tokens& tokens, Metrics& metrics);
  ~HttpServer();

  struct Close {
    void operator()(HttpServer* server) const { server->close(); }
  };
  using Listening = std::unique_ptr<HttpServer, Close>;
  /// Listens as long as the result lives; its destruction answers the requests that have arrived. Throws AppError.
  [[nodiscard]] Listening listen(Routes& routes);

  unsigned short port() const;
  /// Shared with other transports.
  RequestLimits& limits();

 private:
  void close();

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stad::server
