#include "cluster/nats_option.hpp"

#include <algorithm>
#include <cctype>

#include <CLI/CLI.hpp>

namespace stad::cluster {

std::shared_ptr<server::WrittenSettings> add_nats_options(CLI::App& command) {
  auto written = std::make_shared<server::WrittenSettings>();
  command.add_option("--config", written->config, "TOML file of settings, models and the table [cluster]")
      ->envname("STAD_CONFIG");
  add_cluster_option(command, written, "nats", "NATS servers, separated by commas [nats://127.0.0.1:4222]");
  add_cluster_option(command, written, "credentials", "NATS credentials file");
  add_cluster_option(command, written, "authority", "PEM file of who signed the servers' certificates; with it, TLS");
  return written;
}

void add_cluster_option(CLI::App& command, const std::shared_ptr<server::WrittenSettings>& written,
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

NatsSettings nats_of(const server::ClusterSettings& settings) {
  return {settings.nats, settings.credentials, settings.authority};
}

}  // namespace stad::cluster
