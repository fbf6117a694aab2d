#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "server/access/tokens.hpp"
#include "server/http/routes.hpp"

namespace stad::server {

struct HttpSettings {
  std::string address = "127.0.0.1";
  unsigned short port = 8080;  ///< 0: any that is free
  int threads = 2;
  std::string certificate;  ///< PEM; empty: no TLS
  std::string key;
  std::vector<std::string> origins;  ///< pages of these may call from a browser
  std::size_t max_header = 16 << 10;
  std::size_t max_body = 64 << 20;
  std::int64_t max_in_flight = 1024;
  std::int64_t max_connections = 10'000;
  std::chrono::seconds idle_timeout{60};     ///< until the first byte of a request
  std::chrono::seconds request_timeout{30};  ///< for a whole request to arrive, and for an answer to be taken
};

/// Listens, reads requests, has them answered by the routes and writes the answers. It outlives whatever answers: an
/// answer that comes late, or never, still finds its connection.
class HttpServer {
 public:
  /// Throws Refusal where it would be open to the world without tokens.
  /// @param tokens none: everybody who can connect may do everything
  HttpServer(const HttpSettings& settings, const Tokens& tokens, Metrics& metrics);
  ~HttpServer();

  struct Close {
    void operator()(HttpServer* server) const { server->close(); }
  };
  using Listening = std::unique_ptr<HttpServer, Close>;
  /// Listens while what it returns lives; then takes no more requests and answers those that have come. Throws Refusal
  /// where it cannot.
  [[nodiscard]] Listening listen(Routes& routes);

  unsigned short port() const;

 private:
  void close();

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stad::server
