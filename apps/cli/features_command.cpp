#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/files.hpp>
#include <stad/threads.hpp>
#include <stad/version.hpp>

#include "cli/command.hpp"
#include "cli/network.hpp"
#include "cli/options.hpp"
#include "cli/source_card.hpp"
#include "common/interruption.hpp"
#include "common/json_text.hpp"
#include "common/output_path.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

struct FeaturesRequest {
  std::string model_path;
  std::string head;
  std::string images_path;
  std::string out_path;
  std::string mean_path;             // images whose feature mean is used
  std::optional<double> mean_until;  // or that of the stream's images up to this time
  bool card = false;
  int threads = available_threads();
  bool json = false;
  bool quiet = false;
};

void check_request(const FeaturesRequest& request) {
  check_output("--out", request.out_path);
  for (const auto& input : {request.model_path, request.images_path, request.mean_path})
    check_apart("--out", request.out_path, input);
  if (!request.mean_path.empty() && request.mean_until)
    reject("features: --mean-images and --mean-until exclude each other");
}

/// The head, with the feature mean of the training images where the request selects them.
SourceModel head_of(const FeaturesRequest& request, const Backbone& network, const FeatureStream& features) {
  if (!request.mean_path.empty()) {
    const auto training = extract_features(network, need(read_images(request.mean_path)), !request.quiet);
    return head_with_mean(network, training, [](Index) { return true; });
  }
  if (!request.mean_until) return network.source();
  return head_with_mean(network, features,
                        [&](Index row) { return features.time[static_cast<std::size_t>(row)] <= *request.mean_until; });
}

std::string features_text(const FeaturesRequest& request, const Backbone& network, const FeatureStream& features,
                          const SourceModel& head) {
  const std::string card = request.card ? fmt::format("card: {}\n", card_text(head.card())) : "";
  return fmt::format("{}: {} rows of {} features and the head they belong to, {}\n{}{}: {}\n",
                     printable(request.out_path), features.features.rows, features.features.cols,
                     head.has_mean() ? "with the feature mean" : "without a feature mean (see --mean-until)", card,
                     printable(request.model_path), network_text(network.info(), network.source()));
}

std::string features_json(const FeaturesRequest& request, const Backbone& network, const FeatureStream& features,
                          const SourceModel& head) {
  return json_text({{"features", request.out_path},
                    {"model", request.model_path},
                    {"images", request.images_path},
                    {"head", network.info().head},
                    {"rows", features.features.rows},
                    {"dimension", features.features.cols},
                    {"classes", head.classes()},
                    {"mean", head.has_mean()},
                    {"card", card_json(head.card())},
                    {"version", kVersion}}) +
         "\n";
}

void extract(const FeaturesRequest& request) {
  check_request(request);
  set_threads(request.threads);
  const BackbonePointer network = open_network(request.model_path, request.head, "");
  const ImageStream images = need(read_images(request.images_path));
  if (request.mean_until && !images.pixels.has_time())
    reject(fmt::format("{}: has no time, which --mean-until needs", images.pixels.name));
  if (request.card && !images.pixels.has_labels())
    reject(fmt::format("{}: has no labels, which --card needs", images.pixels.name));
  const FeatureStream features = extract_features(*network, images, !request.quiet);
  SourceModel head = head_of(request, *network, features);
  if (request.card) head = with_card(head, features);
  {
    const InterruptionWatch watch;
    need(write_stream(request.out_path, features, &head));
    watch.check();
  }
  if (request.json) return write_output(features_json(request, *network, features, head));
  if (!request.quiet) write_output(features_text(request, *network, features, head));
}

}  // namespace

Command add_features_command(CLI::App& app) {
  auto request = std::make_shared<FeaturesRequest>();
  auto* command =
      app.add_subcommand("features", "Extract the features of images and the head of a network into one npz");
  command->add_option("--model", request->model_path, "A TorchScript network, scripted or traced")->required();
  command->add_option("--images", request->images_path, "npz with images or x, optionally labels or y, time or year")
      ->required();
  command->add_option("--out", request->out_path, "Write the stream and the head to this npz")->required();
  command->add_option("--head", request->head, "Name of the network's last linear layer (default: detected)");
  command->add_option("--mean-images", request->mean_path,
                      "Compute the feature mean from these images, such as the training set");
  command->add_option("--mean-until", request->mean_until, "Compute the feature mean from the images up to this time");
  command->add_flag(
      "--card", request->card,
      "Add a card computed from these labelled images, which must not be training images (see stad card)");
  add_thread_option(*command, request->threads);
  command->add_flag("--json", request->json, "Print one JSON object");
  command->add_flag("--quiet", request->quiet, "No summary, no progress");
  command->footer(
      "Example: stad features --model net.pt --images days.npz --mean-images training.npz --out days-features.npz");
  return {command, [request] { extract(*request); }};
}

}  // namespace stad::cli
