#include "bench/plan/run_data.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <stad/eval/corruption.hpp>
#include <stad/methods.hpp>

#include "bench/plan/provenance.hpp"

namespace stad::cli::bench {
namespace {

/// Equal for equal cards; null without one. The card is not part of the head's fingerprint.
Json identity_of(const SourceCard& card) {
  if (card.is_empty()) return {};
  ContentHash hash;
  for (const auto& value : {card.temperature, card.accuracy, card.confidence}) {
    const double number = value.value_or(-1);
    hash.add(std::as_bytes(std::span(&number, 1)));
  }
  hash.add(std::as_bytes(std::span(card.frequencies)));
  hash.add(std::as_bytes(std::span(card.variance)));
  hash.add(std::as_bytes(std::span(card.means.data(), static_cast<std::size_t>(card.means.size()))));
  return fmt::format("{:016x}", hash.value());
}

Json identity_of(const SourceModel& source, const FeatureStream& stream) {
  ContentHash hash;
  for (Index row = 0; row < stream.features.rows; ++row) hash.add(std::as_bytes(stream.features.row(row)));
  hash.add(std::as_bytes(std::span(stream.labels)));
  hash.add(std::as_bytes(std::span(stream.time)));
  return {{"stream", fmt::format("{:016x}", hash.value())},
          {"head", fmt::format("{:016x}", source.fingerprint())},
          {"card", identity_of(source.card())}};
}

/// The smallest labelled set that an oracle accepts: it serves to resolve options only.
ImageStream one_labelled(const ImageShape& shape) {
  ImageStream images{shape, FeatureStream::from(Matrix(1, shape.size()))};
  images.pixels.labels = {0};
  images.pixels.time = {0};
  return images;
}

Result<std::vector<OptionSetting>> options_of(const Result<AdapterPointer>& adapter) {
  if (!adapter) return adapter.error();
  return (*adapter)->options();
}

constexpr Index kImagesAtOnce = 128;  ///< rows between two polls for an interruption

Json merged(Json images, const Json& network) {
  images.update(network);
  return images;
}

std::vector<Index> rows_in(const FeatureStream& stream, const TimeRange& range) {
  std::vector<Index> rows;
  for (Index row = 0; row < stream.features.rows; ++row)
    if (!stream.has_time() || range.contains(stream.time[static_cast<std::size_t>(row)])) rows.push_back(row);
  return rows;
}

/// Writes the embeddings of the rows into the same rows of `all`.
Status embed_rows(const Backbone& backbone, const ImageStream& images, std::span<const Index> rows, Matrix& all) {
  const auto features = backbone.features(select_images(images, rows).pixels.features, images.shape);
  if (!features) return features.error();
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(features->row(static_cast<Index>(i)), all.row(rows[i]).begin());
  return {};
}

bool is_frozen(const std::string& method) {
  const auto all = methods();
  return std::any_of(all.begin(), all.end(), [&](const MethodInfo& info) { return info.name == method; });
}

}  // namespace

Result<std::vector<OptionSetting>> RunData::resolve(const std::string& method, const OptionValues& options) const {
  const auto adapter = make_adapter(method, source_, options);
  if (!adapter) return adapter.error();
  return (*adapter)->options();
}

FeatureData::FeatureData(const SourceModel& source, const FeatureStream& stream)
    : RunData(source, stream, identity_of(source, stream)) {}

ImageVariant::ImageVariant(ImagesPointer clean, std::string corruption, Index count)
    : clean_(std::move(clean)), corruption_(std::move(corruption)), count_(count) {}

FeatureStream ImageVariant::outline(Index columns) const {
  const FeatureStream& clean = clean_->pixels;
  FeatureStream outline;
  outline.name = clean.name;
  outline.labels = clean.labels;
  outline.time = clean.time;
  Index rows = clean.features.rows;
  if (!corruption_.empty()) {
    outline.labels.clear();
    outline.time.clear();
    for (const int severity : GradualSettings{}.severities) {
      outline.time.insert(outline.time.end(), static_cast<std::size_t>(count_), severity);
      if (clean.has_labels())
        outline.labels.insert(outline.labels.end(), clean.labels.begin(), clean.labels.begin() + count_);
    }
    rows = static_cast<Index>(outline.time.size());
  }
  const auto blank = std::make_shared<const std::vector<float>>(static_cast<std::size_t>(columns));
  outline.features = MatrixView(blank->data(), rows, columns, 0);  // stride 0: all rows share one
  outline.storage = blank;
  return outline;
}

Result<ImagesPointer> ImageVariant::load() const {
  if (corruption_.empty()) return clean_;
  const std::scoped_lock lock(mutex_);
  if (auto images = cached_.lock()) return images;
  auto images = make();
  if (images) cached_ = *images;
  return images;
}

Result<ImagesPointer> ImageVariant::make() const {
  auto stream = gradual_stream(*clean_, corruption_, {.images = count_, .seed = kCorruptionSeed});
  if (!stream) return stream.error();
  return std::make_shared<const ImageStream>(*std::move(stream));
}

LoadedNetwork::LoadedNetwork(BackbonePointer backbone, std::uint64_t fingerprint)
    : backbone_(std::move(backbone)),
      identity_{{"head", fmt::format("{:016x}", backbone_->source().fingerprint())},
                {"card", identity_of(backbone_->source().card())},
                {"model", fmt::format("{:016x}", fingerprint)},
                {"layer", backbone_->info().head},
                {"component", component_fingerprint(*backbone_)}} {}

Result<std::vector<OptionSetting>> LoadedNetwork::resolve(const std::string& method, const ImageShape& shape,
                                                          const OptionValues& options) const {
  const std::string key = json_text(Json{method, shape.channels, shape.height, shape.width, options});
  const auto found = resolved_.find(key);
  if (found != resolved_.end()) return found->second;
  auto resolved = method == "oracle" ? options_of(backbone_->make_oracle(one_labelled(shape), options))
                                     : options_of(backbone_->make_adapter(method, shape, options));
  return resolved_.emplace(key, std::move(resolved)).first->second;
}

ImageData::ImageData(LoadedNetworkPointer network, ImageVariantPointer images, TimeRange used, Json identity)
    : RunData(network->backbone().source(), images->outline(network->backbone().source().dimension()),
              merged(std::move(identity), network->identity())),
      network_(std::move(network)),
      images_(std::move(images)),
      used_(used) {}

Result<const FeatureStream*> ImageData::features(const ShouldContinue& should_continue) const {
  const std::scoped_lock lock(mutex_);
  if (!features_) {
    auto made = embed(should_continue);
    if (!made) return made.error();
    features_ = *std::move(made);
  }
  return &*features_;
}

Result<FeatureStream> ImageData::embed(const ShouldContinue& should_continue) const {
  const auto images = load_images();
  if (!images) return images.error();
  const auto rows = rows_in(outline(), used_);
  Matrix all(outline().features.rows, source().dimension());
  for (std::size_t first = 0; first < rows.size(); first += kImagesAtOnce) {
    if (!should_continue()) return failed("interrupted while embedding the images");
    const auto count = std::min<std::size_t>(kImagesAtOnce, rows.size() - first);
    const auto done = embed_rows(backbone(), **images, std::span(rows).subspan(first, count), all);
    if (!done) return done.error();
  }
  FeatureStream stream = FeatureStream::from(std::move(all));
  stream.name = outline().name;
  stream.labels = outline().labels;
  stream.time = outline().time;
  return stream;
}

Result<std::vector<OptionSetting>> ImageData::resolve(const std::string& method, const OptionValues& options) const {
  if (is_frozen(method)) return RunData::resolve(method, options);
  return network_->resolve(method, images_->shape(), options);
}

}  // namespace stad::cli::bench
