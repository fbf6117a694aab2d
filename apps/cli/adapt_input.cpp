#include "cli/adapt_input.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/network.hpp"

namespace stad::cli {
namespace {

/// The guarded method, because it needs no tuning (see docs/choosing.md).
constexpr const char* kDefaultMethod = "stad-safe";

SourceModel open_source(const InputPaths& paths) {
  if (!paths.source.empty()) return need(read_source(paths.source));
  // A single npy array of features could be mistaken for a weight, so only an npz may hold stream and source.
  if (const auto file = need(inspect_file(paths.stream)); file.format != "npz")
    reject(fmt::format("{}: is {}, must be npz to hold the source as well; else give --source", paths.stream,
                       file.format));
  return need(read_source(paths.stream));
}

SourceModel without_card(const SourceModel& source) { return need(source.with_card(SourceCard{})); }

/// Options that depend on the stream.
class StreamOptions {
 public:
  StreamOptions(const std::optional<Index>& label_budget, const BatchSettings& settings)
      : label_budget_(label_budget), settings_(settings) {}

  /// The options with a label budget for the rows that are used, unless they set the period themselves.
  OptionValues complete(OptionValues options, const FeatureStream& stream) const {
    if (!label_budget_) return options;
    options.emplace_back("label_budget", std::to_string(*label_budget_));
    const bool has_period = std::ranges::any_of(options, [](const auto& o) { return o.first == "label_period"; });
    if (has_period) return options;
    Index rows = 0;
    for (const PlannedBatch& batch : need(plan_batches(stream, settings_)))
      rows += static_cast<Index>(batch.rows.size());
    options.emplace_back("label_period", std::to_string(rows));
    return options;
  }

 private:
  std::optional<Index> label_budget_;
  BatchSettings settings_;
};

AdaptInput open_features(const InputPaths& paths, const std::string& method, const OptionValues& written,
                         const StreamOptions& stream_options) {
  const SourceModel source = open_source(paths);
  FeatureStream stream = need(read_stream(paths.stream, paths.columns));
  const OptionValues options = stream_options.complete(written, stream);
  auto adapter = need(make_adapter(method, paths.card ? source : without_card(source), options));
  return {std::move(stream), std::move(adapter), std::nullopt};
}

AdaptInput open_images(const InputPaths& paths, const std::string& method, const OptionValues& written,
                       const StreamOptions& stream_options) {
  BackbonePointer network = open_network(paths.model, paths.head, paths.source);
  if (!paths.card) network = need(network->with_source(without_card(network->source())));
  ImageStream images = need(read_images(paths.images));
  const OptionValues options = stream_options.complete(written, images.pixels);
  if (method != "oracle") {
    auto adapter = need(network->make_adapter(method, images.shape, options));
    return {std::move(images.pixels), std::move(adapter), network->info()};
  }
  auto split = need(split_labelled(images, options));
  auto adapter = need(network->make_oracle(split.labelled, options));
  return {std::move(split.rest.pixels), std::move(adapter), network->info()};
}

AdaptInput open_fresh(const InputPaths& paths, const std::string& method, const OptionValues& options,
                      const StreamOptions& stream_options) {
  return paths.has_network() ? open_images(paths, method, options, stream_options)
                             : open_features(paths, method, options, stream_options);
}

/// The options of the state, replaced by those written on the command line; restore() rejects contradictions.
OptionValues continued_options(const AdapterState& state, const OptionValues& written) {
  OptionValues values;
  for (const auto& option : state.options) {
    const auto same = [&](const auto& value) { return value.first == option.name; };
    if (std::none_of(written.begin(), written.end(), same)) values.emplace_back(option.name, option.value);
  }
  values.insert(values.end(), written.begin(), written.end());
  return values;
}

}  // namespace

const std::string& InputPaths::head_file() const {
  if (has_network()) return model;
  return source.empty() ? stream : source;
}

void check_input(const InputPaths& paths) {
  if (paths.has_network() != !paths.images.empty())
    reject(paths.has_network() ? "adapt: --model requires --images" : "adapt: --images requires --model");
  if (paths.has_network() && !paths.stream.empty())
    reject("adapt: --stream and --model exclude each other: give embeddings, or a network and images");
  if (!paths.has_network() && paths.stream.empty())
    reject("adapt: --stream is missing, must be given (or --model and --images)");
  if (!paths.has_network() && !paths.head.empty()) reject("adapt: --head requires --model");
  if (paths.stream == "-" && paths.source.empty())
    reject("adapt: --source is missing, must be given when the stream comes from standard input");
}

AdaptInput open_input(const InputPaths& paths, const std::string& method, const OptionValues& options,
                      const std::optional<Index>& label_budget, const BatchSettings& settings) {
  const StreamOptions stream_options(label_budget, settings);
  if (paths.state_in.empty())
    return open_fresh(paths, method.empty() ? kDefaultMethod : method, options, stream_options);

  const AdapterState state = need(read_state(paths.state_in));
  const bool same_method = method.empty() || method == state.method;
  auto input = same_method ? open_fresh(paths, state.method, continued_options(state, options), stream_options)
                           : open_fresh(paths, method, options, stream_options);
  if (const auto restored = input.adapter->restore(state); !restored)
    throw AppError{{restored.error().kind, paths.state_in + ": " + restored.error().message}};
  return input;
}

}  // namespace stad::cli
