#include "bench/plan/streams.hpp"

#include <filesystem>
#include <span>

#include <stad/files.hpp>

#include "bench/plan/fingerprint.hpp"

namespace stad::cli::bench {
namespace {

std::uint64_t fingerprint_of(const FeatureStream& stream) {
  Fingerprint print;
  for (Index row = 0; row < stream.features.rows; ++row) print.add(std::as_bytes(stream.features.row(row)));
  print.add(std::as_bytes(std::span(stream.labels)));
  print.add(std::as_bytes(std::span(stream.time)));
  return print.value();
}

const std::string& head_of(const StreamSpec& stream, std::size_t network) {
  return stream.heads.empty() ? stream.files[network] : stream.heads[network];
}

}  // namespace

std::string StreamShelf::path_of(const std::string& file) const {
  return (std::filesystem::path(directory_) / file).string();
}

std::string StreamShelf::missing_file(const StreamSpec& stream) const {
  for (const auto* list : {&stream.files, &stream.heads})
    for (const std::string& file : *list)
      if (std::error_code ignored; !std::filesystem::exists(path_of(file), ignored)) return path_of(file);
  return "";
}

const Network& StreamShelf::open(const StreamSpec& stream, std::size_t network) {
  const std::string& head = head_of(stream, network);
  auto& place = networks_[{stream.files[network], head}];
  if (place) return *place;
  auto source = need_at(stream.place, read_source(path_of(head)));
  auto features = need_at(stream.place, stad::read_stream(path_of(stream.files[network])));
  const std::uint64_t fingerprint = fingerprint_of(features);
  place = std::make_unique<const Network>(Network{std::move(source), std::move(features), fingerprint});
  return *place;
}

}  // namespace stad::cli::bench
