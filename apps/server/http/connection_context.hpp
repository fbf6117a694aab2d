// State that all connections share. Includes Asio: to be included by connection.hpp only.
#pragma once

#include <atomic>
#include <cstdint>

#include "server/http/admission.hpp"
#include "server/http/coroutines.hpp"
#include "server/http/open_connections.hpp"
#include "server/http/request_limits.hpp"
#include "server/http/request_log.hpp"
#include "server/http/routes.hpp"
#include "serving/settings/settings.hpp"

namespace stad::server {

/// State that all connections share.
struct ConnectionContext {
  const HttpSettings settings;
  const Admission admission;
  Metrics& metrics;
  Routes* routes = nullptr;  ///< set while the server listens
  asio::ssl::context tls{asio::ssl::context::tls_server};
  RequestLimits limits{settings.max_body};
  std::atomic<std::int64_t> connections{0};
  OpenConnections open{};
  RequestLog log{};
  std::atomic<bool> is_draining{false};  ///< responses close their connection
  std::atomic<bool> is_closing{false};   ///< idle connections are closed
};

}  // namespace stad::server
