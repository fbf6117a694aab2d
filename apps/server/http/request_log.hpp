#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "serving/log.hpp"

namespace stad::server {

/// A request as the log shows it.
struct LoggedRequest {
  std::string method;
  std::string path;
  std::string id;       ///< X-Request-Id of the client
  std::string address;  ///< of the client
};

/// Logs answered requests of one transport: 401 and errors of the service as warnings, each limited in rate, the others
/// at the level debug. Thread-safe.
class RequestLog {
 public:
  /// @param describe returns a LoggedRequest; called only where the request is logged
  template <typename Describe>
  void add(int status, std::chrono::duration<double> taken, Describe describe) {
    const bool is_limited = status == 401 || status >= 500;
    const auto level = is_limited ? serving::LogLevel::kWarning : serving::LogLevel::kDebug;
    if (!serving::is_logged(level)) return;
    const auto suppressed =
        is_limited ? (status == 401 ? unauthorized_ : failures_).admit() : std::optional<std::int64_t>(0);
    if (!suppressed) return;
    const LoggedRequest request = describe();
    serving::log(level, "request",
                 {{"method", request.method},
                  {"path", request.path},
                  {"status", std::to_string(status)},
                  {"id", request.id},
                  {"address", request.address},
                  {"suppressed", std::to_string(*suppressed)},
                  {"seconds", fmt::format("{:.6f}", taken.count())}});
  }

 private:
  serving::LogLimiter unauthorized_, failures_;
};

}  // namespace stad::server
