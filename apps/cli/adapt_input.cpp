#include "cli/adapt_input.hpp"

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/network_process.hpp"

namespace stad::cli {
namespace {

SourceModel open_source(const InputPaths& paths) {
  if (!paths.source.empty()) return need(read_source(paths.source));
  // A bare npy stream would pass for a weight, so only an npz may be both.
  if (const auto file = need(inspect_file(paths.stream)); file.format != "npz")
    reject(fmt::format("{}: is {}, must be npz to hold the source as well; else give --source", paths.stream,
                       file.format));
  return need(read_source(paths.stream));
}

AdaptInput open_features(const InputPaths& paths, const std::string& method, const OptionValues& options) {
  auto adapter = need(make_adapter(method, open_source(paths), options));
  return {need(read_stream(paths.stream, paths.columns)), std::move(adapter), std::nullopt};
}

AdaptInput open_images(const InputPaths& paths, const std::string& method, const OptionValues& options) {
  const BackbonePointer network = open_network(paths.model, paths.head, paths.source);
  ImageStream images = need(read_images(paths.images));
  if (method != "oracle") {
    auto adapter = need(network->make_adapter(method, images.shape, options));
    return {std::move(images.pixels), std::move(adapter), network->info()};
  }
  auto split = need(split_labelled(images, options));
  auto adapter = need(network->make_oracle(split.labelled, options));
  return {std::move(split.rest.pixels), std::move(adapter), network->info()};
}

}  // namespace

const std::string& InputPaths::head_file() const {
  if (has_network()) return model;
  return source.empty() ? stream : source;
}

void check_input(const InputPaths& paths) {
  if (paths.has_network() != !paths.images.empty())
    reject(paths.has_network() ? "adapt: --images is missing, must be given with --model"
                               : "adapt: --model is missing, must be given with --images");
  if (paths.has_network() && !paths.stream.empty())
    reject("adapt: --stream stands beside --model, must be one or the other");
  if (!paths.has_network() && paths.stream.empty())
    reject("adapt: --stream is missing, must be given (or --model and --images)");
  if (!paths.has_network() && !paths.head.empty()) reject("adapt: --head is a network's, must stand beside --model");
  if (paths.stream == "-" && paths.source.empty())
    reject("adapt: --source is missing, must be given when the stream comes from standard input");
}

AdaptInput open_input(const InputPaths& paths, const std::string& method, const OptionValues& options) {
  return paths.has_network() ? open_images(paths, method, options) : open_features(paths, method, options);
}

BackbonePointer open_network(const std::string& model, const std::string& head, const std::string& source) {
  prepare_for_networks();
  auto network = need(open_backbone(model, head));
  if (source.empty()) return network;
  auto named = network->with_source(need(read_source(source)));
  if (!named) reject(fmt::format("{}: {}", source, named.error().message));
  return *std::move(named);
}

std::string network_text(const BackboneInfo& info, const SourceModel& source) {
  std::string text = fmt::format("head {} ({} -> {})", info.head, source.dimension(), source.classes());
  const std::pair<Index, const char*> norms[] = {
      {info.batch_norms, "batch"}, {info.layer_norms, "layer"}, {info.group_norms, "group"}};
  for (const auto& [count, kind] : norms)
    if (count > 0) text += fmt::format(", {} {} norm layer{}", count, kind, count == 1 ? "" : "s");
  return text + fmt::format(", {} parameters", info.parameters);
}

}  // namespace stad::cli
