#include <unistd.h>

#include <chrono>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>

#include "cluster/client/status.hpp"
#include "cluster/commands.hpp"
#include "common/interruption.hpp"
#include "cluster/nats_option.hpp"
#include "server/refusal.hpp"
#include "common/terminal.hpp"

namespace stad::cluster {
namespace {

struct StatusRequest {
  bool json = false;
  bool watches = false;
};

void show(const server::WrittenSettings& written, const StatusRequest& request) {
  const auto settings = server::read_settings(written);
  const Connection connection(nats_of(settings.cluster), "stad cluster status");
  const std::int64_t partitions = count_partitions(connection);
  if (partitions == 0)
    server::refuse(
        400, "there is no cluster at " + shown_servers(settings.cluster.nats) + ": no worker has made stream STAD_IN");
  Roster roster(connection, partitions);
  const cli::InterruptionWatch watch;
  do {
    const ClusterStatus status = status_of(connection, roster);
    const std::string text = request.json ? json_of(status) + "\n" : text_of(status);
    cli::say(request.watches && !request.json && isatty(STDOUT_FILENO) != 0 ? "\033[H\033[2J" + text : text);
    std::fflush(stdout);
    for (int i = 0; request.watches && i < 10 && !watch.interrupted(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  } while (request.watches && !watch.interrupted());
}

}  // namespace

cli::Command add_cluster_command(CLI::App& app) {
  auto* command = app.add_subcommand("cluster", "Look at a cluster");
  command->require_subcommand(1);
  auto* status = command->add_subcommand("status", "Partitions, their owners, how far behind, how fast");
  const auto written = add_nats_options(*status);
  auto request = std::make_shared<StatusRequest>();
  status->add_flag("--json", request->json, "As JSON, one object");
  status->add_flag("--watch", request->watches, "Again every second");
  command->footer("Example: stad cluster status --nats nats://10.0.0.1:4222 --watch");
  return {command, [written, request] { show(*written, *request); }};
}

}  // namespace stad::cluster
