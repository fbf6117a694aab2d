#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <stad/eval/corruption.hpp>
#include <stad/files.hpp>
#include <stad/threads.hpp>
#include <stad/version.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "common/interruption.hpp"
#include "common/json_text.hpp"
#include "common/output_path.hpp"
#include "common/progress.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

constexpr char kAll[] = "all";

struct CorruptRequest {
  std::string images_path;
  std::string corruption;
  std::string out_path;
  GradualSettings settings;
  int threads = available_threads();
  bool json = false;
};

/// One corruption and its output file.
struct CorruptionTarget {
  std::string corruption;
  std::string path;
};

std::vector<std::string> corruption_choices() {
  std::vector<std::string> names(corruptions().begin(), corruptions().end());
  names.emplace_back(kAll);
  return names;
}

/// All names, five to a line.
std::string corruption_list() {
  std::string text = "Corruptions:";
  for (std::size_t i = 0; i < corruptions().size(); ++i)
    text += fmt::format("{}{}", i % 5 == 0 ? "\n  " : " ", corruptions()[i]);
  return text + "\n\n";
}

std::vector<CorruptionTarget> targets_of(const CorruptRequest& request) {
  if (request.corruption != kAll) return {{request.corruption, request.out_path}};
  if (std::error_code ignored; !std::filesystem::is_directory(request.out_path, ignored))
    reject(fmt::format("--out {}: is not a directory, must be one for --corruption all", request.out_path));
  std::vector<CorruptionTarget> targets;
  for (const auto name : corruptions())
    targets.push_back({std::string(name), (std::filesystem::path(request.out_path) / name).string() + ".npz"});
  return targets;
}

std::string corrupt_json(const CorruptRequest& request, const std::vector<CorruptionTarget>& targets, Index rows) {
  Json files = Json::array();
  for (const auto& target : targets) files.push_back({{"corruption", target.corruption}, {"file", target.path}});
  return json_text({{"images", request.images_path},
                    {"files", files},
                    {"severities", request.settings.severities},
                    {"samples", rows},
                    {"seed", request.settings.seed},
                    {"version", kVersion}}) +
         "\n";
}

std::string corrupt_text(const CorruptRequest& request, const std::vector<CorruptionTarget>& targets, Index rows) {
  const auto& severities = request.settings.severities;
  std::string text;
  for (const auto& target : targets)
    text += fmt::format("{}: {} images of {} at severity {}\n", printable(target.path), rows, target.corruption,
                        fmt::join(severities, ", "));
  return text;
}

void write_target(const CorruptionTarget& target, const ImageStream& clean, const GradualSettings& settings,
                  Index& rows) {
  const ImageStream stream = need(gradual_stream(clean, target.corruption, settings));
  rows = stream.pixels.features.rows;
  const InterruptionWatch watch;
  need(write_images(target.path, stream));
  watch.check();
}

void corrupt_images(const CorruptRequest& request) {
  const auto targets = targets_of(request);
  for (const auto& target : targets) {
    check_output("--out", target.path);
    check_apart("--out", target.path, request.images_path);
  }
  set_threads(request.threads);
  const ImageStream clean = need(read_images(request.images_path));
  Index rows = 0;
  {
    ProgressBar bar("corrupting");
    for (std::size_t i = 0; i < targets.size(); ++i) {
      bar.show(static_cast<Index>(i), std::ssize(targets), targets[i].corruption);
      write_target(targets[i], clean, request.settings, rows);
    }
  }
  write_output(request.json ? corrupt_json(request, targets, rows) : corrupt_text(request, targets, rows));
}

}  // namespace

Command add_corrupt_command(CLI::App& app) {
  auto request = std::make_shared<CorruptRequest>();
  auto& settings = request->settings;
  auto* command = app.add_subcommand("corrupt", "Make a drifting stream from clean images: noise, blur, weather");
  command->add_option("--images", request->images_path, "npz with images and optionally labels; - is standard input")
      ->required();
  command->add_option("--corruption", request->corruption, "One of the corruptions below, or all")
      ->check(CLI::IsMember(corruption_choices()).description(""))
      ->required();
  command
      ->add_option("--out", request->out_path,
                   "Output npz; with --corruption all, a directory for one npz per corruption")
      ->required();
  command
      ->add_option("--severity", settings.severities,
                   "From 1 to 5, may be repeated; becomes the time stamp of the images")
      ->check(CLI::Range(1, 5))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--count", settings.images,
                      "Images per severity, taken from the start of the file (default: 1000 or all)");
  add_seed_option(*command, settings.seed, "Seed; equal seeds give identical output");
  add_thread_option(*command, request->threads);
  command->add_flag("--json", request->json, "Print one JSON object");
  command->footer(corruption_list() + "Example: stad corrupt --images test.npz --corruption fog --out fog.npz");
  return {command, [request] { corrupt_images(*request); }};
}

}  // namespace stad::cli
