#include "bench/plan/image_data.hpp"

#include <algorithm>

#include <stad/methods.hpp>

namespace stad::cli::bench {
namespace {

constexpr Index kImagesAtOnce = 128;  ///< an interruption waits for so many

Json together(Json images, const Json& network) {
  images.update(network);
  return images;
}

std::vector<Index> rows_in(const FeatureStream& stream, const TimeRange& range) {
  std::vector<Index> rows;
  for (Index row = 0; row < stream.features.rows; ++row)
    if (!stream.has_time() || range.holds(stream.time[static_cast<std::size_t>(row)])) rows.push_back(row);
  return rows;
}

/// Embeds the rows into their places in `all`.
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

ImageData::ImageData(OpenNetworkPointer network, ShownImagesPointer images, TimeRange used, Json identity)
    : RunData(network->backbone().source(), images->outline(network->backbone().source().dimension()),
              together(std::move(identity), network->identity())),
      network_(std::move(network)),
      images_(std::move(images)),
      used_(used) {}

Result<const FeatureStream*> ImageData::features(const KeepWorking& keep_working) const {
  const std::scoped_lock lock(mutex_);
  if (!features_) {
    auto made = embed(keep_working);
    if (!made) return made.error();
    features_ = *std::move(made);
  }
  return &*features_;
}

Result<FeatureStream> ImageData::embed(const KeepWorking& keep_working) const {
  const auto images = hold_images();
  if (!images) return images.error();
  const auto rows = rows_in(outline(), used_);
  Matrix all(outline().features.rows, source().dimension());
  for (std::size_t first = 0; first < rows.size(); first += kImagesAtOnce) {
    if (!keep_working()) return failed("interrupted while embedding the images");
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
