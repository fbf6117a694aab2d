#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <stad/feature_stream.hpp>
#include <stad/source_model.hpp>

#include "bench/plan/experiment.hpp"

namespace stad::cli::bench {

/// What one trained network gave: its last layer and the embeddings of the stream.
struct Network {
  SourceModel source;
  FeatureStream stream;
  std::uint64_t fingerprint = 0;  ///< of features, labels and time
};

/// The streams of all experiments; every file is read once.
class StreamShelf {
 public:
  explicit StreamShelf(std::string directory) : directory_(std::move(directory)) {}

  std::string path_of(const std::string& file) const;
  /// The first file of the stream that is not there, or nothing.
  std::string missing_file(const StreamSpec& stream) const;
  /// Reads the network's files where they were not read yet. A broken file is refused with the line that names it.
  const Network& open(const StreamSpec& stream, std::size_t network);

 private:
  std::string directory_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<const Network>> networks_;
};

}  // namespace stad::cli::bench
