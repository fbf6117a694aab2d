#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cluster/nats/connection.hpp"
#include "serving/settings/settings.hpp"

namespace CLI {
class App;
}

namespace stad::cluster {

/// A sub-command: its arguments and the function to call once they were parsed.
struct ClusterCommand {
  const CLI::App* arguments;
  std::function<void()> run;
};

ClusterCommand add_worker_command(CLI::App& app);
ClusterCommand add_publish_command(CLI::App& app);
ClusterCommand add_subscribe_command(CLI::App& app);
ClusterCommand add_cluster_command(CLI::App& app);

/// Adds --config and the options of [cluster] with the servers' addresses, which all commands have.
std::shared_ptr<serving::WrittenSettings> add_nats_options(CLI::App& command);
/// Adds an option for a setting of [cluster]: --a-name, STAD_CLUSTER_A_NAME.
void add_cluster_option(CLI::App& command, const std::shared_ptr<serving::WrittenSettings>& written,
                        const std::string& name, const std::string& help);

NatsSettings nats_of(const serving::ClusterSettings& settings);

}  // namespace stad::cluster
