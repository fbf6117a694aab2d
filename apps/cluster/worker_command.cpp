#include <atomic>
#include <memory>
#include <optional>
#include <thread>

#include <CLI/CLI.hpp>

#include "cluster/commands.hpp"
#include "cluster/metrics_endpoint.hpp"
#include "cluster/worker/worker.hpp"
#include "serving/log.hpp"
#include "serving/settings/model_settings.hpp"
#include "serving/termination_signals.hpp"

namespace stad::cluster {
namespace {

WorkerSettings worker_settings(const serving::ClusterSettings& cluster) {
  WorkerSettings settings;
  settings.id = new_worker_id();
  settings.lease = cluster.lease;
  settings.cache = cluster.cache;
  settings.layout = {cluster.partitions, cluster.replicas, cluster.kept, cluster.repeats};
  settings.partition = {cluster.interval, cluster.max_in_flight, cluster.snapshot_every, cluster.memory,
                        static_cast<std::size_t>(cluster.max_entry)};
  return settings;
}

void run_worker(const serving::WrittenSettings& written, const std::string& level) {
  serving::WrittenSettings all = written;
  if (!level.empty()) all.log = level;
  const serving::Settings settings = serving::read_settings(all);
  serving::set_log_level(settings.log);
  const serving::TerminationSignals signals;
  serving::Models models;
  for (const auto& model : settings.models) models.add(serving::open_model(model));
  const WorkerSettings worker_options = worker_settings(settings.cluster);
  const NatsConnection connection(nats_of(settings.cluster), "stad worker " + worker_options.id);
  Worker worker(worker_options, connection, models);
  std::optional<MetricsEndpoint> metrics;
  if (!settings.cluster.metrics.empty()) metrics.emplace(settings.cluster.metrics, worker);
  serving::log(serving::LogLevel::kInfo, "working",
               {{"worker", worker_options.id},
                {"nats", displayed_servers(settings.cluster.nats)},
                {"models", std::to_string(models.all().size())},
                {"partitions", std::to_string(settings.cluster.partitions)}});
  std::atomic<bool> is_ending{false};
  std::thread thread([&] { worker.run(is_ending); });
  serving::log(serving::LogLevel::kInfo, "ending", {{"signal", std::to_string(signals.wait())}});
  is_ending = true;
  thread.join();
}

}  // namespace

ClusterCommand add_worker_command(CLI::App& app) {
  auto* command = app.add_subcommand("worker", "Adapt streams of a cluster: embeddings and results by NATS JetStream");
  const auto written = add_nats_options(*command);
  add_cluster_option(*command, written, "partitions", "Number of partitions of the NATS servers' subject mapping [16]");
  add_cluster_option(*command, written, "replicas",
                     "Replicas of created streams and buckets; 3 survives the loss of one server [1]");
  add_cluster_option(*command, written, "lease", "Seconds without renewal after which others take over [8]");
  add_cluster_option(*command, written, "interval", "Seconds between commits [1]");
  add_cluster_option(*command, written, "max_in_flight", "Messages of a partition fetched and not committed [1024]");
  add_cluster_option(*command, written, "kept", "Retention of inputs and results in hours [24]");
  add_cluster_option(*command, written, "repeats", "Seconds in which repeated message ids are dropped [120]");
  add_cluster_option(*command, written, "snapshot_every", "Batches of a stream between its snapshots [1000]");
  add_cluster_option(*command, written, "max_entry", "Largest state in one message; 0: the servers' limit [0]");
  add_cluster_option(*command, written, "memory", "Memory for streams [1 GB]");
  add_cluster_option(*command, written, "cache",
                     "Folder for states evicted from memory [none: fetched from the servers again]");
  add_cluster_option(*command, written, "metrics", "ADDRESS:PORT of the metrics for Prometheus [none]");
  auto level = std::make_shared<std::string>();
  command->add_option("--log", *level, "debug, info, warning or error [info]")->envname("STAD_LOG");
  command->footer("Example: stad worker --nats nats://10.0.0.1:4222,nats://10.0.0.2:4222 --config stad.toml");
  return {command, [written, level] { run_worker(*written, *level); }};
}

}  // namespace stad::cluster
