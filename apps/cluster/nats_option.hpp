#pragma once

#include <memory>

#include "cluster/nats/connection.hpp"
#include "server/settings/settings.hpp"

namespace CLI {
class App;
}

namespace stad::cluster {

/// --config and the settings of the table [cluster] that say where the servers are, which all commands have.
std::shared_ptr<server::WrittenSettings> add_nats_options(CLI::App& command);
/// One more setting of [cluster]: --a-name, STAD_CLUSTER_A_NAME.
void add_cluster_option(CLI::App& command, const std::shared_ptr<server::WrittenSettings>& written,
                        const std::string& name, const std::string& help);

NatsSettings nats_of(const server::ClusterSettings& settings);

}  // namespace stad::cluster
