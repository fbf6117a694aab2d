#include <atomic>
#include <memory>
#include <optional>
#include <thread>

#include <CLI/CLI.hpp>

#include "cluster/commands.hpp"
#include "server/ending_signals.hpp"
#include "cluster/nats_option.hpp"
#include "server/settings/open_model.hpp"
#include "server/telemetry/log.hpp"
#include "cluster/working/metrics_page.hpp"
#include "cluster/working/worker.hpp"

namespace stad::cluster {
namespace {

WorkerSettings worker_settings(const server::ClusterSettings& cluster) {
  WorkerSettings settings;
  settings.id = new_worker_id();
  settings.lease = cluster.lease;
  settings.cache = cluster.cache;
  settings.layout = {cluster.partitions, cluster.replicas, cluster.kept, cluster.repeats};
  settings.working = {cluster.interval, cluster.max_in_flight, cluster.snapshot_every, cluster.memory,
                      static_cast<std::size_t>(cluster.max_entry)};
  return settings;
}

void run(const server::WrittenSettings& written, const std::string& level) {
  server::WrittenSettings all = written;
  if (!level.empty()) all.log = level;
  const server::Settings settings = server::read_settings(all);
  server::set_log_level(settings.log);
  const server::EndingSignals signals;
  server::Models models;
  for (const auto& model : settings.models) models.add(server::open_model(model));
  const WorkerSettings wishes = worker_settings(settings.cluster);
  const Connection connection(nats_of(settings.cluster), "stad worker " + wishes.id);
  Worker worker(wishes, connection, models);
  std::optional<MetricsPage> page;
  if (!settings.cluster.metrics.empty()) page.emplace(settings.cluster.metrics, worker);
  server::log(server::LogLevel::kInfo, "working",
              {{"worker", wishes.id},
               {"nats", shown_servers(settings.cluster.nats)},
               {"models", std::to_string(models.all().size())},
               {"partitions", std::to_string(settings.cluster.partitions)}});
  std::atomic<bool> is_ending{false};
  std::thread work([&] { worker.work(is_ending); });
  server::log(server::LogLevel::kInfo, "ending", {{"signal", std::to_string(signals.wait())}});
  is_ending = true;
  work.join();
}

}  // namespace

cli::Command add_worker_command(CLI::App& app) {
  auto* command = app.add_subcommand("worker", "Adapt streams of a cluster: embeddings and answers by NATS JetStream");
  const auto written = add_nats_options(*command);
  add_cluster_option(*command, written, "partitions", "As the mapping of the NATS servers says [16]");
  add_cluster_option(*command, written, "replicas", "Of what is made on the servers; 3 outlives the loss of one [1]");
  add_cluster_option(*command, written, "lease", "Seconds of silence after which others take over [8]");
  add_cluster_option(*command, written, "interval", "Seconds between commits [1]");
  add_cluster_option(*command, written, "max_in_flight", "Messages of a partition taken and not committed [1024]");
  add_cluster_option(*command, written, "kept", "Hours that inputs and results are kept [24]");
  add_cluster_option(*command, written, "repeats", "Seconds in which a message id that comes again is dropped [120]");
  add_cluster_option(*command, written, "snapshot_every", "Batches of a stream between its snapshots [1000]");
  add_cluster_option(*command, written, "max_entry", "Largest state in one piece; 0: as the servers allow [0]");
  add_cluster_option(*command, written, "memory", "For streams in memory [1 GB]");
  add_cluster_option(*command, written, "cache", "Folder for states that leave memory; without, the servers have them");
  add_cluster_option(*command, written, "metrics", "ADDRESS:PORT where Prometheus may ask [none]");
  auto level = std::make_shared<std::string>();
  command->add_option("--log", *level, "debug, info, warning or error [info]")->envname("STAD_LOG");
  command->footer("Example: stad worker --nats nats://10.0.0.1:4222,nats://10.0.0.2:4222 --config stad.toml");
  return {command, [written, level] { run(*written, *level); }};
}

}  // namespace stad::cluster
