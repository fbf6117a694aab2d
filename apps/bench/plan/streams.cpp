#include "bench/plan/streams.hpp"

#include <filesystem>
#include <span>

#include <fmt/format.h>

#include <stad/files.hpp>

#include "bench/plan/fingerprint.hpp"
#include "bench/plan/provenance.hpp"

namespace stad::cli::bench {
namespace {

std::string head_of(const StreamSpec& stream, std::size_t network) {
  return stream.heads.empty() ? "" : stream.heads[network];
}

/// What decides the contents of a part, apart from the files'.
std::string key_of(const StreamSpec& stream, const Part& part) {
  if (stream.is_simulated()) return stream.simulated.key_of(part.network);
  const std::string head = head_of(stream, part.network);
  if (!stream.has_images()) return json_text(Json{stream.files[part.network], head});
  return json_text(Json{stream.models[part.network], head, stream.images, stream.head, part.corruption, part.count,
                        value_or_null(stream.since), value_or_null(stream.until)});
}

/// The images and what is done to them, as one number: two parts that show the same have the same.
Json identity_of(std::uint64_t file, const Part& part) {
  Json shown{{"corruption", part.corruption.empty() ? Json() : Json(part.corruption)},
             {"count", part.corruption.empty() ? Json() : Json(part.count)},
             {"corruption_seed", part.corruption.empty() ? Json() : Json(kCorruptionSeed)}};
  const std::string text = json_text(shown);
  Fingerprint print;
  print.add(std::as_bytes(std::span(&file, 1)));
  print.add(std::as_bytes(std::span(text)));
  shown["stream"] = fmt::format("{:016x}", print.value());
  return shown;
}

}  // namespace

std::string StreamShelf::path_of(const std::string& file) const {
  return (std::filesystem::path(directory_) / file).string();
}

std::string StreamShelf::missing_file(const StreamSpec& stream) const {
  for (const std::string& file : stream.all_files())
    if (std::error_code ignored; !std::filesystem::exists(path_of(file), ignored)) return path_of(file);
  return "";
}

const RunData& StreamShelf::open(const StreamSpec& stream, const Part& part) {
  auto& place = opened_[key_of(stream, part)];
  if (!place && stream.is_simulated()) place = draw(stream, part);
  if (!place) place = stream.has_images() ? open_images(stream, part) : open_features(stream, part);
  return *place;
}

std::unique_ptr<const RunData> StreamShelf::draw(const StreamSpec& stream, const Part& part) const {
  auto drawn = need_at(stream.simulated.place, simulate(stream.simulated.with_seed(part.network)));
  drawn.stream.name = fmt::format("simulated, seed {}", stream.simulated.seeds[part.network]);
  return std::make_unique<FeatureData>(drawn.source, drawn.stream);
}

std::unique_ptr<const RunData> StreamShelf::open_features(const StreamSpec& stream, const Part& part) const {
  const std::string& file = stream.files[part.network];
  const std::string head = head_of(stream, part.network);
  const auto source = need_at(stream.place, read_source(path_of(head.empty() ? file : head)));
  return std::make_unique<FeatureData>(source, need_at(stream.place, stad::read_stream(path_of(file))));
}

std::unique_ptr<const RunData> StreamShelf::open_images(const StreamSpec& stream, const Part& part) {
  auto images = shown_images(stream, part);
  auto network = this->network(stream, part.network);
  // Any method would do to see that the network takes such images.
  need_at(stream.place, network->resolve("source", images->shape(), {}));
  return std::make_unique<ImageData>(std::move(network), std::move(images), TimeRange{stream.since, stream.until},
                                     identity_of(image_file(stream).fingerprint, part));
}

const StreamShelf::ImageFile& StreamShelf::image_file(const StreamSpec& stream) {
  ImageFile& file = image_files_[stream.images];
  if (file.images) return file;
  const std::string path = path_of(stream.images);
  file.images = std::make_shared<const ImageStream>(need_at(stream.place, read_images(path)));
  file.fingerprint = file_fingerprint(path);
  return file;
}

ShownImagesPointer StreamShelf::shown_images(const StreamSpec& stream, const Part& part) {
  const ImagesPointer clean = image_file(stream).images;
  const Index rows = clean->pixels.features.rows;
  if (!part.corruption.empty() && part.count > rows)
    refuse_at(stream.place,
              fmt::format("count is {}, must be at most the {} images of {}", part.count, rows, clean->pixels.name));
  auto& place = shown_[json_text(Json{stream.images, part.corruption, part.count})];
  if (!place) place = std::make_shared<const ShownImages>(clean, part.corruption, part.count);
  return place;
}

OpenNetworkPointer StreamShelf::network(const StreamSpec& stream, std::size_t number) {
  const std::string& model = stream.models[number];
  const std::string head = head_of(stream, number);
  auto& place = networks_[json_text(Json{model, stream.head, head})];
  if (place) return place;
  auto backbone = need_at(stream.place, open_backbone(path_of(model), stream.head));
  if (!head.empty()) {
    auto named = backbone->with_source(need_at(stream.place, read_source(path_of(head))));
    if (!named) refuse_at(stream.place, fmt::format("{}: {}", head, named.error().message));
    backbone = *std::move(named);
  }
  place = std::make_shared<const OpenNetwork>(std::move(backbone), file_fingerprint(path_of(model)));
  return place;
}

}  // namespace stad::cli::bench
