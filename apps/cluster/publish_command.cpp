#include <memory>
#include <random>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/files.hpp>

#include "cluster/client/publish.hpp"
#include "cluster/commands.hpp"
#include "common/interruption.hpp"
#include "common/json_text.hpp"
#include "cluster/nats_option.hpp"
#include "common/progress.hpp"
#include "common/terminal.hpp"

namespace stad::cluster {
namespace {

struct PublishRequest {
  std::string file;
  PublishSettings settings;
  Index batch_size = 0;
  int patience = 60;  ///< seconds
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
    text += fmt::format("in {} messages: batches that are larger than the servers take were split\n", report.messages);
  if (report.repeated > 0) text += fmt::format("{} of them the servers had already\n", report.repeated);
  return text;
}

void run(const server::WrittenSettings& written, PublishRequest request) {
  const auto settings = server::read_settings(written);
  const FeatureStream stream = cli::need(read_stream(request.file));
  if (request.batch_size > 0) request.settings.batches.batch_size = request.batch_size;
  request.settings.patience = std::chrono::seconds(request.patience);
  if (request.settings.run.empty()) request.settings.run = new_run();
  const Connection connection(nats_of(settings.cluster), "stad publish");
  const cli::InterruptionWatch watch;
  cli::ProgressBar bar("publishing");
  const auto report = publish(connection, stream, request.settings, [&](std::int64_t done, std::int64_t all) {
    bar.show(done, all);
    return !watch.interrupted();
  });
  bar.wipe();
  cli::say(request.json ? cli::json_text({{"batches", report.batches},
                                          {"messages", report.messages},
                                          {"rows", report.rows},
                                          {"repeated", report.repeated},
                                          {"seconds", report.seconds},
                                          {"run", request.settings.run}}) +
                              "\n"
                        : text_of(report));
  watch.check();
}

}  // namespace

cli::Command add_publish_command(CLI::App& app) {
  auto* command = app.add_subcommand("publish", "Feed a stream file to a cluster");
  const auto written = add_nats_options(*command);
  auto request = std::make_shared<PublishRequest>();
  command->add_option("file", request->file, "Stream file: npz, npy or csv")->required();
  command->add_option("--model", request->settings.model, "Model the rows are for")->required();
  command->add_option("--stream", request->settings.stream, "Stream they belong to")->required();
  command->add_option("--streams", request->settings.streams, "Deal the batches in turn to STREAM-0, STREAM-1, ... [1]")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--batch-size", request->batch_size, "Rows of a batch [the file's, else 64]")
      ->check(CLI::Range(1, 65536));
  command->add_option("--rate", request->settings.rate, "Batches a second [as fast as they are kept]")
      ->check(CLI::Range(0.0, 1e9));
  command->add_option("--run", request->settings.run,
                      "Name of the run: repeated soon, it is not kept twice [a new one]");
  command->add_option("--patience", request->patience, "Seconds with servers that do not keep what is sent [60]")
      ->check(CLI::Range(0, 86400));
  command->add_flag("--json", request->json, "Say what was done as JSON");
  command->footer("Example: stad publish days.npz --model cameras --stream camera-7 --rate 10");
  return {command, [written, request] { run(*written, *request); }};
}

}  // namespace stad::cluster
