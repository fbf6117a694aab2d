#include "serving/log.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stad::serving {
namespace {

constexpr std::array kLevelNames{"debug", "info", "warning", "error"};
std::atomic<LogLevel> least_logged{LogLevel::kInfo};

std::string time_text() {
  const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", now);
}

using LogFields = std::initializer_list<std::pair<std::string_view, std::string>>;

void write_line(std::string_view level, std::string_view message, LogFields fields) {
  nlohmann::ordered_json line{{"time", time_text()}, {"level", level}, {"message", message}};
  for (const auto& [name, value] : fields) line[std::string(name)] = value;
  const std::string text = line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  // One write call, so that lines of several threads do not mix. A failed write cannot be reported anywhere.
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

}  // namespace

void set_log_level(LogLevel least) { least_logged = least; }
bool is_logged(LogLevel level) { return level >= least_logged.load(std::memory_order_relaxed); }

void log(LogLevel level, std::string_view message, LogFields fields) {
  if (is_logged(level)) write_line(kLevelNames[static_cast<std::size_t>(level)], message, fields);
}

std::optional<std::int64_t> LogLimiter::admit() {
  const std::scoped_lock lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) {
    ++suppressed_;
    return std::nullopt;
  }
  next_ = now + period_;
  return std::exchange(suppressed_, 0);
}

void audit(std::string_view message, LogFields fields) { write_line("audit", message, fields); }

}  // namespace stad::serving
