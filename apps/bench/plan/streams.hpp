#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "bench/plan/experiment.hpp"
#include "bench/plan/image_data.hpp"

namespace stad::cli::bench {

/// Which part of a stream: one network, under one corruption; or one seed of a simulated one.
struct Part {
  std::size_t network = 0;
  std::string corruption;  ///< empty: files, or images as they are
  Index count = 0;         ///< images a severity
};

/// The streams of all experiments; every file is read once, and what is simulated drawn once.
class StreamShelf {
 public:
  explicit StreamShelf(std::string directory) : directory_(std::move(directory)) {}

  std::string path_of(const std::string& file) const;
  /// The first file of the stream that is not there, or nothing.
  std::string missing_file(const StreamSpec& stream) const;
  /// Reads or draws what is not there yet. A broken file is refused with the line that names it. No network is run on
  /// images, and nothing is corrupted: that is for the runs that need it.
  const RunData& open(const StreamSpec& stream, const Part& part);

 private:
  struct ImageFile {
    ImagesPointer images;
    std::uint64_t fingerprint = 0;
  };

  std::unique_ptr<const RunData> draw(const StreamSpec& stream, const Part& part) const;
  std::unique_ptr<const RunData> open_features(const StreamSpec& stream, const Part& part) const;
  std::unique_ptr<const RunData> open_images(const StreamSpec& stream, const Part& part);
  const ImageFile& image_file(const StreamSpec& stream);
  ShownImagesPointer shown_images(const StreamSpec& stream, const Part& part);
  OpenNetworkPointer network(const StreamSpec& stream, std::size_t number);

  std::string directory_;
  std::map<std::string, std::unique_ptr<const RunData>> opened_;
  std::map<std::string, ImageFile> image_files_;
  std::map<std::string, ShownImagesPointer> shown_;
  std::map<std::string, OpenNetworkPointer> networks_;
};

}  // namespace stad::cli::bench
