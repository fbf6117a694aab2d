#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "bench/plan/experiment.hpp"
#include "bench/plan/run_data.hpp"

namespace stad::cli::bench {

/// A part of a stream: one network and one corruption, or one seed of a simulation.
struct StreamPart {
  std::size_t network = 0;
  std::string corruption;  ///< empty: embeddings, or clean images
  Index count = 0;         ///< images per severity
};

/// Loads the streams of all experiments. Every file is read once, and every simulation is made once.
class StreamLoader {
 public:
  explicit StreamLoader(std::string directory) : directory_(std::move(directory)) {}

  std::string path_of(const std::string& file) const;
  /// The first file of the stream that does not exist; empty if all do.
  std::string missing_file(const StreamSpec& stream) const;
  /// The data of the part, loaded on first use. An invalid file is rejected with the line that names it. Embeddings and
  /// corrupted images are left to the runs that need them.
  const RunData& open(const StreamSpec& stream, const StreamPart& part);

 private:
  struct ImageFile {
    ImagesPointer images;
    std::uint64_t fingerprint = 0;
  };

  std::unique_ptr<const RunData> make_simulation(const StreamSpec& stream, const StreamPart& part) const;
  std::unique_ptr<const RunData> open_features(const StreamSpec& stream, const StreamPart& part) const;
  std::unique_ptr<const RunData> open_images(const StreamSpec& stream, const StreamPart& part);
  const ImageFile& image_file(const StreamSpec& stream);
  ImageVariantPointer image_variant(const StreamSpec& stream, const StreamPart& part);
  LoadedNetworkPointer network(const StreamSpec& stream, std::size_t number);

  std::string directory_;
  std::map<std::string, std::unique_ptr<const RunData>> opened_;
  std::map<std::string, ImageFile> image_files_;
  std::map<std::string, ImageVariantPointer> variants_;
  std::map<std::string, LoadedNetworkPointer> networks_;
};

}  // namespace stad::cli::bench
