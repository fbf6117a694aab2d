#include "server/settings/settings.hpp"

#include <thread>

#include <fmt/format.h>

#include "server/refusal.hpp"
#include "server/settings/scalars.hpp"
#include "common/toml_table.hpp"

namespace stad::server {
namespace {

using cli::TomlTable;

void set_listen(HttpSettings& http, const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) refuse(400, fmt::format("listen is '{}', must be ADDRESS:PORT", text));
  std::string address = text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  http.address = address == "localhost" ? "127.0.0.1" : address;
  http.port = static_cast<unsigned short>(integer_of("the port of listen", text.substr(colon + 1), 0, 65535));
}

LogLevel log_level_of(const std::string& name) {
  if (name == "debug") return LogLevel::kDebug;
  if (name == "info") return LogLevel::kInfo;
  if (name == "warning") return LogLevel::kWarning;
  if (name == "error") return LogLevel::kError;
  refuse(400, fmt::format("log is '{}', must be debug, info, warning or error", name));
}

/// A scalar, from wherever it was written.
void set(Settings& settings, const std::string& name, const std::string& text) {
  auto& keeping = settings.service.keeping;
  if (name == "listen")
    set_listen(settings.http, text);
  else if (name == "data")
    settings.routes.data = text;
  else if (name == "tokens")
    settings.tokens = text;
  else if (name == "certificate")
    settings.http.certificate = text;
  else if (name == "key")
    settings.http.key = text;
  else if (name == "durability")
    keeping.durability = durability_of(text);
  else if (name == "interval")
    keeping.interval = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * number_of(name, text, 0.01, 86400)));
  else if (name == "memory")
    keeping.memory = bytes_of(name, text);
  else if (name == "max_body")
    settings.http.max_body = static_cast<std::size_t>(bytes_of(name, text));
  else if (name == "max_streams")
    settings.routes.streams_per_token = static_cast<std::size_t>(integer_of(name, text, 0, 1'000'000'000));
  else if (name == "max_in_flight")
    settings.http.max_in_flight = integer_of(name, text, 1, 1'000'000);
  else if (name == "max_connections")
    settings.http.max_connections = integer_of(name, text, 1, 1'000'000);
  else if (name == "idle_timeout")
    settings.http.idle_timeout = std::chrono::seconds(integer_of(name, text, 1, 86400));
  else if (name == "request_timeout")
    settings.http.request_timeout = std::chrono::seconds(integer_of(name, text, 1, 86400));
  else if (name == "kept_answers")
    keeping.kept_answers = static_cast<std::size_t>(integer_of(name, text, 0, 10'000));
  else if (name == "kept_snapshots")
    settings.service.kept_snapshots = integer_of(name, text, 1, 10'000);
  else if (name == "threads")
    settings.http.threads = settings.service.threads = static_cast<int>(integer_of(name, text, 1, 1024));
  else if (name == "log")
    settings.log = log_level_of(text);
  else
    refuse(400, fmt::format("there is no setting '{}'", name));
}

Mode written_mode(TomlTable& table) {
  try {
    return mode_of(table.text("mode", "active"));
  } catch (const Refusal& refusal) {
    cli::reject_at(table.place_of("mode"), refusal.message);
  }
}

std::chrono::microseconds written_delay(TomlTable& table) {
  constexpr double kMost = 60'000;
  const double milliseconds = table.number("max_delay").value_or(0);
  if (!(milliseconds >= 0 && milliseconds <= kMost))
    cli::reject_at(table.place_of("max_delay"),
                   fmt::format("max_delay is {}, must be a number from 0 to {}", milliseconds, kMost));
  return std::chrono::microseconds(static_cast<std::int64_t>(1000 * milliseconds));
}

ConfiguredModel model_of(TomlTable& table) {
  ConfiguredModel model;
  model.place = table.place().text();
  auto& specification = model.specification;
  specification.name = table.text("name");
  model.source = table.text("source", "");
  model.network = table.text("network", "");
  if (const auto shape = table.integers("image", 1); shape.size() == 3)
    model.image = {shape[0], shape[1], shape[2]};
  else if (!shape.empty() || !model.network.empty())
    cli::reject_at(table.place_of("image"), "image must be [channels, height, width], beside network");
  specification.method = table.text("method", specification.method);
  specification.mode = written_mode(table);
  specification.max_batch = table.integer("max_batch", 0).value_or(0);
  specification.max_delay = written_delay(table);
  specification.is_clustered = table.flag("cluster", false);
  if (auto options = table.table("options")) {
    for (const auto& key : options->keys()) {
      const auto values = options->values(key);
      if (values.size() != 1) cli::reject_at(options->place_of(key), fmt::format("option {} must have one value", key));
      specification.options.emplace_back(key, values.front());
    }
  }
  table.finish("a model");
  return model;
}

void read_file(Settings& settings, const std::string& path) {
  TomlTable table = TomlTable::parse(cli::read_toml_text(path), path);
  for (auto& model : table.tables("model")) settings.models.push_back(model_of(model));
  settings.http.origins = table.texts("origins");
  if (auto cluster = table.table("cluster")) read_cluster(settings.cluster, *cluster);
  for (const auto& key : table.keys()) {
    if (key == "model" || key == "origins" || key == "cluster") continue;
    const auto values = table.values(key);
    try {
      if (values.size() != 1) refuse(400, fmt::format("{} must have one value", key));
      set(settings, key, values.front());
    } catch (const Refusal& refusal) {
      cli::reject_at(table.place_of(key), refusal.message);
    }
  }
}

}  // namespace

Settings read_settings(const WrittenSettings& written) {
  Settings settings;
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  settings.http.threads = settings.service.threads = cores;
  settings.routes.data = written.config.empty() ? "" : "stad-data";
  if (!written.config.empty()) read_file(settings, written.config);
  const std::pair<const char*, const std::optional<std::string>*> scalars[] = {
      {"listen", &written.listen},
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
    if (*text) set(settings, name, **text);
  for (const auto& [name, text] : written.cluster) set_cluster(settings.cluster, name, text);
  if (settings.models.empty()) {
    ConfiguredModel demo;
    demo.specification.name = "demo";
    settings.models.push_back(demo);
    settings.demo_traffic = written.config.empty();
  }
  return settings;
}

}  // namespace stad::server
