#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace stad::serving {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

/// Writes one JSON object a line to standard error: {"time", "level", "message", ...}. Lines of several threads do not
/// mix.
void log(LogLevel level, std::string_view message,
         std::initializer_list<std::pair<std::string_view, std::string>> fields = {});

/// Writes a line of level "audit", which no log level suppresses: who changed or deleted what.
void audit(std::string_view message, std::initializer_list<std::pair<std::string_view, std::string>> fields);

/// Sets the least level that is written; kInfo by default.
void set_log_level(LogLevel least);
bool is_logged(LogLevel level);

/// Admits one line of a kind in a period and counts those in between, so that a repeated failure does not fill the log.
/// Thread-safe.
class LogLimiter {
 public:
  explicit LogLimiter(std::chrono::milliseconds period = std::chrono::seconds(1)) : period_(period) {}

  /// The number of lines suppressed since the last admitted one; none: suppress this line as well.
  std::optional<std::int64_t> admit();

 private:
  const std::chrono::milliseconds period_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point next_{};
  std::int64_t suppressed_ = 0;
};

}  // namespace stad::serving
