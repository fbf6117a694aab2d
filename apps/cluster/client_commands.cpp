#include <unistd.h>

#include <chrono>
#include <memory>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/files.hpp>

#include "cluster/client/publish.hpp"
#include "cluster/client/status.hpp"
#include "cluster/client/subscribe.hpp"
#include "cluster/commands.hpp"
#include "common/error.hpp"
#include "common/interruption.hpp"
#include "common/json_text.hpp"
#include "common/output_path.hpp"
#include "common/progress.hpp"
#include "common/terminal.hpp"

namespace stad::cluster {
namespace {

struct PublishRequest {
  std::string file;
  PublishSettings settings;
  Index batch_size = 0;
  int timeout = 60;  ///< seconds
  bool json = false;
};

std::string new_run() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

std::string text_of(const PublishReport& report) {
  std::string text =
      fmt::format("published {} batches, {} rows in {:.2f} s\n", report.batches, report.rows, report.seconds);
  if (report.messages > report.batches)
    text += fmt::format("in {} messages: batches larger than the limit of the servers were split\n", report.messages);
  if (report.repeated > 0)
    text += fmt::format("{} messages were repetitions, which the servers dropped\n", report.repeated);
  return text;
}

void run_publish(const serving::WrittenSettings& written, PublishRequest request) {
  const auto settings = serving::read_settings(written);
  const FeatureStream stream = need(read_stream(request.file));
  if (request.batch_size > 0) request.settings.batches.batch_size = request.batch_size;
  request.settings.timeout = std::chrono::seconds(request.timeout);
  if (request.settings.run.empty()) request.settings.run = new_run();
  const NatsConnection connection(nats_of(settings.cluster), "stad publish");
  const cli::InterruptionWatch watch;
  cli::ProgressBar bar("publishing");
  const auto report = publish(connection, stream, request.settings, [&](std::int64_t done, std::int64_t all) {
    bar.show(done, all);
    return !watch.interrupted();
  });
  bar.wipe();
  cli::write_output(request.json ? cli::json_text({{"batches", report.batches},
                                                   {"messages", report.messages},
                                                   {"rows", report.rows},
                                                   {"repeated", report.repeated},
                                                   {"seconds", report.seconds},
                                                   {"run", request.settings.run}}) +
                                       "\n"
                                 : text_of(report));
  watch.check();
}

struct SubscribeRequest {
  std::string out;
  SubscribeSettings settings;
  double idle = 5;
  bool json = false;
};

std::string text_of(const SubscribeReport& report) {
  std::string text = fmt::format("{} results of {} streams, {} rows\n", report.results, report.answers.streams.size(),
                                 report.answers.predictions.labels.size());
  if (report.refused > 0)
    text += fmt::format("{} were rejected, the first with: {}\n", report.refused, cli::printable(report.first_error));
  if (report.repeated > 0) text += fmt::format("{} were repetitions and were dropped\n", report.repeated);
  if (report.out_of_order > 0) text += fmt::format("{} were out of order\n", report.out_of_order);
  return text;
}

void run_subscribe(const serving::WrittenSettings& written, SubscribeRequest request) {
  cli::check_output("--out", request.out);
  request.settings.idle = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * request.idle));
  const auto settings = serving::read_settings(written);
  const NatsConnection connection(nats_of(settings.cluster), "stad subscribe");
  const cli::InterruptionWatch watch;
  const auto report = subscribe(connection, request.settings, [&](std::int64_t) { return !watch.interrupted(); });
  if (!request.out.empty()) need(write_answers(request.out, report.answers));
  cli::write_output(request.json ? cli::json_text({{"results", report.results},
                                                   {"streams", report.answers.streams.size()},
                                                   {"rows", report.answers.predictions.labels.size()},
                                                   {"refused", report.refused},
                                                   {"repeated", report.repeated},
                                                   {"out_of_order", report.out_of_order},
                                                   {"out", request.out}}) +
                                       "\n"
                                 : text_of(report));
  if (request.settings.count > report.results)
    throw AppError{failed(fmt::format("{} results received, {} expected", report.results, request.settings.count))};
}

struct StatusRequest {
  bool json = false;
  bool is_repeated = false;
};

void run_status(const serving::WrittenSettings& written, const StatusRequest& request) {
  const auto settings = serving::read_settings(written);
  const NatsConnection connection(nats_of(settings.cluster), "stad cluster status");
  const std::int64_t partitions = count_partitions(connection);
  if (partitions == 0)
    reject(400, "no cluster at " + displayed_servers(settings.cluster.nats) + ": no worker has created stream STAD_IN");
  Roster roster(connection, partitions);
  const cli::InterruptionWatch watch;
  do {
    const ClusterStatus status = status_of(connection, roster);
    const std::string text = request.json ? json_of(status) + "\n" : text_of(status);
    cli::write_output(request.is_repeated && !request.json && isatty(STDOUT_FILENO) != 0 ? "\033[H\033[2J" + text
                                                                                         : text);
    std::fflush(stdout);
    for (int i = 0; request.is_repeated && i < 10 && !watch.interrupted(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  } while (request.is_repeated && !watch.interrupted());
}

}  // namespace

ClusterCommand add_publish_command(CLI::App& app) {
  auto* command = app.add_subcommand("publish", "Publish a stream file to a cluster");
  const auto written = add_nats_options(*command);
  auto request = std::make_shared<PublishRequest>();
  command->add_option("file", request->file, "Stream file: npz, npy or csv")->required();
  command->add_option("--model", request->settings.model, "Model of the rows")->required();
  command->add_option("--stream", request->settings.stream, "Stream of the rows")->required();
  command
      ->add_option("--streams", request->settings.streams,
                   "Distribute the batches in turn to STREAM-0, STREAM-1, ... [1]")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--batch-size", request->batch_size, "Rows of a batch [the file's, else 64]")
      ->check(CLI::Range(1, 65536));
  command->add_option("--rate", request->settings.rate, "Batches a second [unlimited]")->check(CLI::Range(0.0, 1e9));
  command->add_option("--run", request->settings.run,
                      "Name of the run; a run repeated soon is not stored twice [random]");
  command->add_option("--patience", request->timeout, "Seconds to retry with servers that do not store messages [60]")
      ->check(CLI::Range(0, 86400));
  command->add_flag("--json", request->json, "Print the report as JSON");
  command->footer("Example: stad publish days.npz --model cameras --stream camera-7 --rate 10");
  return {command, [written, request] { run_publish(*written, *request); }};
}

ClusterCommand add_subscribe_command(CLI::App& app) {
  auto* command = app.add_subcommand("subscribe", "Collect the answers of a cluster");
  const auto written = add_nats_options(*command);
  auto request = std::make_shared<SubscribeRequest>();
  command->add_option("--out", request->out, "npz of labels, probabilities, stream, sequence and batch_sizes");
  command->add_option("--model", request->settings.model, "Of this model [all]");
  command->add_option("--stream", request->settings.stream, "Of this stream [all]");
  command->add_option("--count", request->settings.count, "Number of results to wait for [until --idle]")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
  command->add_option("--idle", request->idle, "Seconds without a result after which the command ends [5]")
      ->check(CLI::Range(0.1, 86400.0));
  command->add_flag("--json", request->json, "Print the report as JSON");
  command->footer("Example: stad subscribe --model cameras --stream camera-7 --out answers.npz");
  return {command, [written, request] { run_subscribe(*written, *request); }};
}

ClusterCommand add_cluster_command(CLI::App& app) {
  auto* command = app.add_subcommand("cluster", "Inspect a cluster");
  command->require_subcommand(1);
  auto* status = command->add_subcommand("status", "Partitions, their owners, lag and throughput");
  const auto written = add_nats_options(*status);
  auto request = std::make_shared<StatusRequest>();
  status->add_flag("--json", request->json, "Print one JSON object");
  status->add_flag("--watch", request->is_repeated, "Repeat every second");
  command->footer("Example: stad cluster status --nats nats://10.0.0.1:4222 --watch");
  return {command, [written, request] { run_status(*written, *request); }};
}

}  // namespace stad::cluster
