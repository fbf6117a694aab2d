#include "server/settings/cluster_settings.hpp"

#include <fmt/format.h>

#include "server/refusal.hpp"
#include "server/settings/scalars.hpp"
#include "common/toml_table.hpp"

namespace stad::server {
namespace {

std::chrono::milliseconds seconds_of(const std::string& name, const std::string& text, double least, double most) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * number_of(name, text, least, most)));
}

}  // namespace

void set_cluster(ClusterSettings& settings, const std::string& name, const std::string& text) {
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
    settings.kept = std::chrono::hours(integer_of(name, text, 1, 24 * 366));
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
    refuse(400, fmt::format("there is no setting '{}' of the cluster", name));
}

void read_cluster(ClusterSettings& settings, cli::TomlTable& table) {
  for (const auto& key : table.keys()) {
    const auto values = table.values(key);
    try {
      if (values.size() != 1) refuse(400, fmt::format("{} must have one value", key));
      set_cluster(settings, key, values.front());
    } catch (const Refusal& refusal) {
      cli::reject_at(table.place_of(key), refusal.message);
    }
  }
}

}  // namespace stad::server
