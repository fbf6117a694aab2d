#include "serving/settings/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/toml_table.hpp"

namespace stad::serving {
namespace {

using cli::TomlTable;

constexpr std::array kDurabilityNames{std::string_view("batch"), std::string_view("interval"),
                                      std::string_view("none")};

// Parsers of values; each throws AppError that names the setting, the value and the rule.

double number_of(const std::string& name, const std::string& text, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most))
    reject(400, fmt::format("{} is '{}', must be a number from {} to {}", name, text, least, most));
  return value;
}

std::int64_t integer_of(const std::string& name, const std::string& text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    reject(400, fmt::format("{} is '{}', must be an integer from {} to {}", name, text, least, most));
  return value;
}

/// "64 MB", "1 GB", "4096": bytes, decimal units.
std::int64_t bytes_of(const std::string& name, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, text.data() + text.size());
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  const double scale = unit.empty() || unit == "B" ? 1
                       : unit == "KB"              ? 1e3
                       : unit == "MB"              ? 1e6
                       : unit == "GB"              ? 1e9
                                                   : 0;
  if (error != std::errc() || scale == 0 || !(value >= 0 && value * scale <= 1e15))
    reject(400, fmt::format("{} is '{}', must be a size such as 64 MB or 1 GB", name, text));
  return static_cast<std::int64_t>(value * scale);
}

std::chrono::milliseconds seconds_of(const std::string& name, const std::string& text, double least, double most) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * number_of(name, text, least, most)));
}

std::pair<std::string, unsigned short> address_of(const std::string& name, const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) reject(400, fmt::format("{} is '{}', must be ADDRESS:PORT", name, text));
  std::string address = text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  const auto port = integer_of("the port of " + name, text.substr(colon + 1), 0, 65535);
  return {address == "localhost" ? "127.0.0.1" : address, static_cast<unsigned short>(port)};
}

/// An empty text switches gRPC off.
void set_grpc(HttpSettings& http, const std::string& text) {
  http.grpc.reset();
  if (text.empty()) return;
  auto [address, port] = address_of("grpc", text);
  http.grpc = GrpcAddress{std::move(address), port};
}

LogLevel log_level_of(const std::string& name) {
  if (name == "debug") return LogLevel::kDebug;
  if (name == "info") return LogLevel::kInfo;
  if (name == "warning") return LogLevel::kWarning;
  if (name == "error") return LogLevel::kError;
  reject(400, fmt::format("log is '{}', must be debug, info, warning or error", name));
}

/// Returns false if the setting is not one of the connections.
bool set_http_setting(HttpSettings& http, const std::string& name, const std::string& text) {
  if (name == "listen")
    std::tie(http.address, http.port) = address_of(name, text);
  else if (name == "grpc")
    set_grpc(http, text);
  else if (name == "certificate")
    http.certificate = text;
  else if (name == "key")
    http.key = text;
  else if (name == "max_body")
    http.max_body = static_cast<std::size_t>(bytes_of(name, text));
  else if (name == "max_in_flight")
    http.max_in_flight = integer_of(name, text, 1, 1'000'000);
  else if (name == "max_connections")
    http.max_connections = integer_of(name, text, 1, 1'000'000);
  else if (name == "idle_timeout")
    http.idle_timeout = std::chrono::seconds(integer_of(name, text, 1, 86400));
  else if (name == "request_timeout")
    http.request_timeout = std::chrono::seconds(integer_of(name, text, 1, 86400));
  else if (name == "drain")
    http.drain = seconds_of(name, text, 0, 3600);
  else
    return false;
  return true;
}

void set_setting(Settings& settings, const std::string& name, const std::string& text) {
  auto& checkpoints = settings.service.checkpoints;
  if (set_http_setting(settings.http, name, text)) return;
  if (name == "data")
    settings.routes.data = text;
  else if (name == "tokens")
    settings.tokens = text;
  else if (name == "durability")
    checkpoints.durability = durability_of(text);
  else if (name == "interval")
    checkpoints.interval = seconds_of(name, text, 0.01, 86400);
  else if (name == "memory")
    checkpoints.memory = bytes_of(name, text);
  else if (name == "max_streams")
    settings.service.streams_per_token = static_cast<std::size_t>(integer_of(name, text, 0, 1'000'000'000));
  else if (name == "kept_answers")
    checkpoints.kept_answers = static_cast<std::size_t>(integer_of(name, text, 0, 10'000));
  else if (name == "kept_snapshots")
    settings.service.kept_snapshots = integer_of(name, text, 1, 10'000);
  else if (name == "min_free")
    settings.service.min_free = bytes_of(name, text);
  else if (name == "threads")
    settings.http.threads = settings.service.threads = static_cast<int>(integer_of(name, text, 1, 1024));
  else if (name == "log")
    settings.log = log_level_of(text);
  else
    reject(400, fmt::format("unknown setting '{}'", name));
}

void set_cluster_setting(ClusterSettings& settings, const std::string& name, const std::string& text) {
  if (name == "nats")
    settings.nats = text;
  else if (name == "credentials")
    settings.credentials = text;
  else if (name == "authority")
    settings.authority = text;
  else if (name == "partitions")
    settings.partitions = integer_of(name, text, 1, 4096);
  else if (name == "replicas")
    settings.replicas = integer_of(name, text, 1, 5);
  else if (name == "kept")
    settings.kept = std::chrono::hours(integer_of(name, text, 1, std::int64_t{24} * 366));
  else if (name == "repeats")
    settings.repeats = std::chrono::seconds(integer_of(name, text, 1, 3600));
  else if (name == "lease")
    settings.lease = seconds_of(name, text, 1, 3600);
  else if (name == "interval")
    settings.interval = seconds_of(name, text, 0, 3600);
  else if (name == "max_in_flight")
    settings.max_in_flight = static_cast<int>(integer_of(name, text, 1, 100'000));
  else if (name == "snapshot_every")
    settings.snapshot_every = integer_of(name, text, 1, 1'000'000'000);
  else if (name == "memory")
    settings.memory = bytes_of(name, text);
  else if (name == "cache")
    settings.cache = text;
  else if (name == "max_entry")
    settings.max_entry = bytes_of(name, text);
  else if (name == "metrics")
    settings.metrics = text;
  else
    reject(400, fmt::format("unknown setting '{}' of the cluster", name));
}

/// Sets one value of a table through `set`; errors name file and line.
template <typename Set>
void set_from_table(TomlTable& table, const std::string& key, Set set) {
  const auto values = table.values(key);
  try {
    if (values.size() != 1) reject(400, fmt::format("{} must have one value", key));
    set(key, values.front());
  } catch (const AppError& failure) {
    cli::reject_at(table.place_of(key), failure.error.message);
  }
}

void read_file(Settings& settings, const std::string& path) {
  TomlTable table = TomlTable::parse(cli::read_toml_text(path), path);
  for (auto& model : table.tables("model")) settings.models.push_back(read_model(model));
  settings.http.origins = table.texts("origins");
  const auto set_cluster = [&](const auto& name, const auto& text) {
    set_cluster_setting(settings.cluster, name, text);
  };
  if (auto cluster = table.table("cluster"))
    for (const auto& key : cluster->keys()) set_from_table(*cluster, key, set_cluster);
  for (const auto& key : table.keys()) {
    if (key == "model" || key == "origins" || key == "cluster") continue;
    set_from_table(table, key, [&](const auto& name, const auto& text) { set_setting(settings, name, text); });
  }
}

/// Values of the command line take precedence over those of the file.
void set_written(Settings& settings, const WrittenSettings& written) {
  const std::pair<const char*, const std::optional<std::string>*> scalars[] = {
      {"listen", &written.listen},
      {"grpc", &written.grpc},
      {"data", &written.data},
      {"tokens", &written.tokens},
      {"certificate", &written.certificate},
      {"key", &written.key},
      {"durability", &written.durability},
      {"interval", &written.interval},
      {"memory", &written.memory},
      {"max_body", &written.max_body},
      {"max_streams", &written.max_streams},
      {"max_in_flight", &written.max_in_flight},
      {"threads", &written.threads},
      {"log", &written.log}};
  for (const auto& [name, text] : scalars)
    if (*text) set_setting(settings, name, **text);
  for (const auto& [name, text] : written.cluster) set_cluster_setting(settings.cluster, name, text);
}

}  // namespace

std::string_view name_of(Durability durability) { return kDurabilityNames[static_cast<std::size_t>(durability)]; }

Durability durability_of(std::string_view name) {
  const auto found = std::find(kDurabilityNames.begin(), kDurabilityNames.end(), name);
  if (found == kDurabilityNames.end())
    reject(400, fmt::format("durability is '{}', must be batch, interval or none", name));
  return static_cast<Durability>(found - kDurabilityNames.begin());
}

Settings read_settings(const WrittenSettings& written) {
  Settings settings;
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  settings.http.threads = settings.service.threads = cores;
  settings.routes.data = written.config.empty() ? "" : "stad-data";
  if (!written.config.empty()) read_file(settings, written.config);
  set_written(settings, written);
  if (settings.models.empty()) {
    ConfiguredModel demo;
    demo.specification.name = "demo";
    settings.models.push_back(demo);
    settings.demo_traffic = written.config.empty();
  }
  return settings;
}

}  // namespace stad::serving
