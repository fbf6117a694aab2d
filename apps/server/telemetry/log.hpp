#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace stad::server {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

/// One JSON object a line to standard error, written whole: {"time", "level", "message", ...}.
void log(LogLevel level, std::string_view message,
         std::initializer_list<std::pair<std::string_view, std::string>> fields = {});

/// Below it nothing is written. Info at first.
void set_log_level(LogLevel least);
bool is_logged(LogLevel level);

}  // namespace stad::server
