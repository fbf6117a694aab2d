#pragma once

#include "cli/command.hpp"

namespace stad::cluster {

cli::Command add_worker_command(CLI::App& app);
cli::Command add_publish_command(CLI::App& app);
cli::Command add_subscribe_command(CLI::App& app);
cli::Command add_cluster_command(CLI::App& app);

}  // namespace stad::cluster
