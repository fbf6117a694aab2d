#include "bench/plan/stream_loader.hpp"

#include <filesystem>
#include <span>

#include <fmt/format.h>

#include <stad/files.hpp>

#include "bench/plan/provenance.hpp"

namespace stad::cli::bench {
namespace {

std::string head_of(const StreamSpec& stream, std::size_t network) {
  return stream.heads.empty() ? "" : stream.heads[network];
}

/// Equal for parts with equal data.
std::string key_of(const StreamSpec& stream, const StreamPart& part) {
  if (stream.is_simulated()) return json_text(Json{stream.simulated.key_of(part.network), stream.card});
  const std::string head = head_of(stream, part.network);
  if (!stream.has_images()) return json_text(Json{stream.files[part.network], head, stream.card});
  return json_text(Json{stream.models[part.network], head, stream.card, stream.images, stream.head, part.corruption,
                        part.count, value_or_null(stream.since), value_or_null(stream.until)});
}

/// Hashes of the image file and the corruption: equal for parts with equal images.
Json identity_of(std::uint64_t file, const StreamPart& part) {
  Json identity{{"corruption", part.corruption.empty() ? Json() : Json(part.corruption)},
                {"count", part.corruption.empty() ? Json() : Json(part.count)},
                {"corruption_seed", part.corruption.empty() ? Json() : Json(kCorruptionSeed)}};
  const std::string text = json_text(identity);
  ContentHash hash;
  hash.add(std::as_bytes(std::span(&file, 1)));
  hash.add(std::as_bytes(std::span(text)));
  identity["stream"] = fmt::format("{:016x}", hash.value());
  return identity;
}

SourceModel with_card_of(const StreamSpec& stream, const SourceModel& source) {
  return stream.card ? source : *source.with_card(SourceCard{});
}

}  // namespace

std::string StreamLoader::path_of(const std::string& file) const {
  return (std::filesystem::path(directory_) / file).string();
}

std::string StreamLoader::missing_file(const StreamSpec& stream) const {
  for (const std::string& file : stream.all_files())
    if (std::error_code ignored; !std::filesystem::exists(path_of(file), ignored)) return path_of(file);
  return "";
}

const RunData& StreamLoader::open(const StreamSpec& stream, const StreamPart& part) {
  auto& data = opened_[key_of(stream, part)];
  if (!data && stream.is_simulated()) data = make_simulation(stream, part);
  if (!data) data = stream.has_images() ? open_images(stream, part) : open_features(stream, part);
  return *data;
}

std::unique_ptr<const RunData> StreamLoader::make_simulation(const StreamSpec& stream, const StreamPart& part) const {
  auto simulation = need_at(stream.simulated.place, simulate(stream.simulated.with_seed(part.network)));
  simulation.stream.name = fmt::format("simulated, seed {}", stream.simulated.seeds[part.network]);
  return std::make_unique<FeatureData>(with_card_of(stream, simulation.source), simulation.stream);
}

std::unique_ptr<const RunData> StreamLoader::open_features(const StreamSpec& stream, const StreamPart& part) const {
  const std::string& file = stream.files[part.network];
  const std::string head = head_of(stream, part.network);
  const auto source = need_at(stream.place, read_source(path_of(head.empty() ? file : head)));
  return std::make_unique<FeatureData>(with_card_of(stream, source),
                                       need_at(stream.place, stad::read_stream(path_of(file))));
}

std::unique_ptr<const RunData> StreamLoader::open_images(const StreamSpec& stream, const StreamPart& part) {
  auto images = image_variant(stream, part);
  auto network = this->network(stream, part.network);
  // Resolving any method checks that the network accepts images of this shape.
  need_at(stream.place, network->resolve("source", images->shape(), {}));
  return std::make_unique<ImageData>(std::move(network), std::move(images), TimeRange{stream.since, stream.until},
                                     identity_of(image_file(stream).fingerprint, part));
}

const StreamLoader::ImageFile& StreamLoader::image_file(const StreamSpec& stream) {
  ImageFile& file = image_files_[stream.images];
  if (file.images) return file;
  const std::string path = path_of(stream.images);
  file.images = std::make_shared<const ImageStream>(need_at(stream.place, read_images(path)));
  file.fingerprint = file_fingerprint(path);
  return file;
}

ImageVariantPointer StreamLoader::image_variant(const StreamSpec& stream, const StreamPart& part) {
  const ImagesPointer clean = image_file(stream).images;
  const Index rows = clean->pixels.features.rows;
  if (!part.corruption.empty() && part.count > rows)
    reject_at(stream.place,
              fmt::format("count is {}, must be at most the {} images of {}", part.count, rows, clean->pixels.name));
  auto& variant = variants_[json_text(Json{stream.images, part.corruption, part.count})];
  if (!variant) variant = std::make_shared<const ImageVariant>(clean, part.corruption, part.count);
  return variant;
}

LoadedNetworkPointer StreamLoader::network(const StreamSpec& stream, std::size_t number) {
  const std::string& model = stream.models[number];
  const std::string head = head_of(stream, number);
  auto& loaded = networks_[json_text(Json{model, stream.head, head, stream.card})];
  if (loaded) return loaded;
  auto backbone = need_at(stream.place, open_backbone(path_of(model), stream.head));
  if (!head.empty()) {
    const SourceModel source = need_at(stream.place, read_source(path_of(head)));
    auto named = backbone->with_source(with_card_of(stream, source));
    if (!named) reject_at(stream.place, fmt::format("{}: {}", head, named.error().message));
    backbone = *std::move(named);
  }
  loaded = std::make_shared<const LoadedNetwork>(std::move(backbone), file_fingerprint(path_of(model)));
  return loaded;
}

}  // namespace stad::cli::bench
