#include "cluster/commands.hpp"

#include <algorithm>
#include <cctype>

#include <CLI/CLI.hpp>

namespace stad::cluster {

std::shared_ptr<serving::WrittenSettings> add_nats_options(CLI::App& command) {
  auto written = std::make_shared<serving::WrittenSettings>();
  command.add_option("--config", written->config, "TOML file of settings, models and the table [cluster]")
      ->envname("STAD_CONFIG");
  add_cluster_option(command, written, "nats", "NATS servers, separated by commas [nats://127.0.0.1:4222]");
  add_cluster_option(command, written, "credentials", "NATS credentials file");
  add_cluster_option(command, written, "authority", "PEM file of the CA of the servers' certificates; enables TLS");
  return written;
}

void add_cluster_option(CLI::App& command, const std::shared_ptr<serving::WrittenSettings>& written,
                        const std::string& name, const std::string& help) {
  std::string flag = "--" + name;
  std::ranges::replace(flag, '_', '-');
  std::string variable = "STAD_CLUSTER_" + name;
  std::ranges::transform(variable, variable.begin(), [](unsigned char c) { return std::toupper(c); });
  command
      .add_option_function<std::string>(
          flag, [written, name](const std::string& text) { written->cluster.emplace_back(name, text); }, help)
      ->envname(variable);
}

NatsSettings nats_of(const serving::ClusterSettings& settings) {
  return {settings.nats, settings.credentials, settings.authority};
}

}  // namespace stad::cluster
