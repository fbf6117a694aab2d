#pragma once

#include <initializer_list>
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

}  // namespace stad::serving
