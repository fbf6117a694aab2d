#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cluster/client/subscribe.hpp"
#include "cluster/commands.hpp"
#include "common/interruption.hpp"
#include "common/json_text.hpp"
#include "cluster/nats_option.hpp"
#include "common/output_path.hpp"
#include "common/terminal.hpp"

namespace stad::cluster {
namespace {

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
    text +=
        fmt::format("{} were refused, the first because: {}\n", report.refused, cli::printable(report.first_refusal));
  if (report.repeated > 0) text += fmt::format("{} came again and were dropped\n", report.repeated);
  if (report.out_of_order > 0) text += fmt::format("{} came out of order\n", report.out_of_order);
  return text;
}

void run(const server::WrittenSettings& written, SubscribeRequest request) {
  cli::check_output("--out", request.out);
  request.settings.idle = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * request.idle));
  const auto settings = server::read_settings(written);
  const Connection connection(nats_of(settings.cluster), "stad subscribe");
  const cli::InterruptionWatch watch;
  const auto report = subscribe(connection, request.settings, [&](std::int64_t) { return !watch.interrupted(); });
  if (!request.out.empty()) cli::need(write_answers(request.out, report.answers));
  cli::say(request.json ? cli::json_text({{"results", report.results},
                                          {"streams", report.answers.streams.size()},
                                          {"rows", report.answers.predictions.labels.size()},
                                          {"refused", report.refused},
                                          {"repeated", report.repeated},
                                          {"out_of_order", report.out_of_order},
                                          {"out", request.out}}) +
                              "\n"
                        : text_of(report));
  if (request.settings.count > report.results)
    throw AppError{failed(fmt::format("{} results came, {} were wanted", report.results, request.settings.count))};
}

}  // namespace

cli::Command add_subscribe_command(CLI::App& app) {
  auto* command = app.add_subcommand("subscribe", "Collect the answers of a cluster");
  const auto written = add_nats_options(*command);
  auto request = std::make_shared<SubscribeRequest>();
  command->add_option("--out", request->out, "npz of labels, probabilities, stream, sequence and batch_sizes");
  command->add_option("--model", request->settings.model, "Of this model [all]");
  command->add_option("--stream", request->settings.stream, "Of this stream [all]");
  command->add_option("--count", request->settings.count, "Wait for so many results [until nothing comes]")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
  command->add_option("--idle", request->idle, "Seconds without a result after which it ends [5]")
      ->check(CLI::Range(0.1, 86400.0));
  command->add_flag("--json", request->json, "Say what came as JSON");
  command->footer("Example: stad subscribe --model cameras --stream camera-7 --out answers.npz");
  return {command, [written, request] { run(*written, *request); }};
}

}  // namespace stad::cluster
