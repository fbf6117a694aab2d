#include <cstdio>
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
#include "common/interruption.hpp"
#include "common/json_text.hpp"
#include "common/output_path.hpp"
#include "common/progress.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

struct TrainRequest {
  std::string images_path;
  std::optional<double> since;
  std::optional<double> until;
  std::string out_path;
  std::string features_path;
  TrainingSettings settings;
  int threads = available_threads();
  bool json = false;
  bool quiet = false;
};

std::string epoch_text(const EpochReport& epoch) {
  return fmt::format("epoch {}: loss {:.4f}, validation accuracy {:.2f} %", epoch.epoch, epoch.loss,
                     100 * epoch.validation_accuracy);
}

TrainedNetwork train_with_progress(const TrainRequest& request, const ImageStream& images) {
  const InterruptionWatch watch;
  ProgressBar bar("training", !request.quiet);
  std::string last = "no epoch finished yet";
  auto result = train_network(images, request.settings, [&](const TrainingProgress& progress) {
    if (progress.finished) {
      last = epoch_text(*progress.finished);
      bar.wipe();
      if (!request.quiet && !request.json) write_output(last + "\n");
      std::fflush(stdout);  // epochs are slow: show each when it ends
    }
    bar.show(progress.steps_done, progress.steps, fmt::format("loss {:.4f}; {}", progress.loss, last));
    return !watch.interrupted();
  });
  watch.check();
  return need(std::move(result));
}

/// Writes the features of all images of the file, and the head with the feature mean of the training images.
/// @param rows the images passed to the training
void write_features(const TrainRequest& request, const ImageStream& all, const std::vector<Index>& rows,
                    const TrainedNetwork& trained) {
  const BackbonePointer network = open_network(request.out_path, "", "");
  const FeatureStream features = extract_features(*network, all, !request.quiet);
  std::vector<bool> chosen(static_cast<std::size_t>(features.features.rows), false);
  for (std::size_t i = 0; i < rows.size(); ++i) chosen[static_cast<std::size_t>(rows[i])] = trained.trained_on[i];
  const SourceModel head =
      head_with_mean(*network, features, [&](Index row) { return chosen[static_cast<std::size_t>(row)]; });
  need(write_stream(request.features_path, features, &head));
}

std::string train_json(const TrainRequest& request, const TrainedNetwork& trained) {
  Json epochs = Json::array();
  for (const EpochReport& epoch : trained.epochs)
    epochs.push_back(
        {{"epoch", epoch.epoch}, {"loss", epoch.loss}, {"validation_accuracy", epoch.validation_accuracy}});
  return json_text({{"model", request.out_path},
                    {"features", request.features_path.empty() ? Json() : Json(request.features_path)},
                    {"images", trained.trained_on.size()},
                    {"epochs", epochs},
                    {"best_epoch", trained.best_epoch},
                    {"learning_rate", request.settings.learning_rate},
                    {"batch_size", request.settings.batch_size},
                    {"validation", request.settings.validation},
                    {"seed", request.settings.seed},
                    {"version", kVersion}}) +
         "\n";
}

void train(const TrainRequest& request) {
  for (const auto& [option, path] : {std::pair{"--out", request.out_path}, {"--features", request.features_path}}) {
    check_output(option, path);
    check_apart(option, path, request.images_path);
  }
  check_apart("--features", request.features_path, request.out_path);
  set_threads(request.threads);
  prepare_for_networks();
  const ImageStream all = need(read_images(request.images_path));
  const std::vector<Index> rows = rows_between(all, request.since, request.until);
  const TrainedNetwork trained = train_with_progress(request, select_images(all, rows));
  need(write_text(request.out_path, trained.file));
  if (!request.features_path.empty()) write_features(request, all, rows, trained);
  if (request.json) return write_output(train_json(request, trained));
  if (!request.quiet)
    write_output(fmt::format("{}: the network of epoch {}, the best of {}\n", printable(request.out_path),
                             trained.best_epoch, trained.epochs.size()));
}

}  // namespace

Command add_train_command(CLI::App& app) {
  auto request = std::make_shared<TrainRequest>();
  auto& settings = request->settings;
  auto* command = app.add_subcommand("train", "Train the small network of the Yearbook experiments on labelled images");
  command->add_option("--images", request->images_path, "npz with images or x and labels or y, optionally time or year")
      ->required();
  command->add_option("--out", request->out_path, "Write the TorchScript network to this file")->required();
  command->add_option("--features", request->features_path,
                      "Write the features of all images and the head to this npz");
  command->add_option("--since", request->since, "First time stamp of the training images, inclusive");
  command->add_option("--until", request->until, "Last time stamp of the training images, inclusive");
  command->add_option("--epochs", settings.epochs, "Passes over the images")->capture_default_str();
  command->add_option("--batch-size", settings.batch_size, "Images per step")->capture_default_str();
  command->add_option("--learning-rate", settings.learning_rate, "Learning rate of Adam")->capture_default_str();
  command->add_option("--validation", settings.validation, "Share of images held out to select the best epoch")
      ->capture_default_str();
  add_seed_option(*command, settings.seed, "Seed of the initial weights, the split and the order");
  add_thread_option(*command, request->threads);
  command->add_flag("--json", request->json, "Print one JSON object");
  command->add_flag("--quiet", request->quiet, "No summary, no progress");
  command->footer(
      "Example: stad train --images yearbook.npz --since 1930 --until 1969 --out net.pt --features features.npz");
  return {command, [request] { train(*request); }};
}

}  // namespace stad::cli
