#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/matrix.hpp>
#include <stad/methods.hpp>
#include <stad/options.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

namespace stad {

/// What was found in a network.
struct BackboneInfo {
  std::string head;       ///< the last linear layer, such as "fc"
  Index parameters = 0;   ///< values, head included
  Index batch_norms = 0;  ///< layers of each kind
  Index layer_norms = 0;
  Index group_norms = 0;
};

/// A trained network: images in, embeddings out. Immutable, and shared by the adapters that start from it; each keeps
/// weights of its own. The bits of an answer depend on the number of threads, unlike elsewhere in the library: the
/// network's products are the torch library's.
class STAD_API Backbone {
 public:
  virtual ~Backbone() = default;

  virtual const BackboneInfo& info() const = 0;

  /// The last layer, which every method starts from.
  virtual const SourceModel& source() const = 0;

  /// The same network with the feature mean and the class names of a head file. Its weights must be the network's.
  virtual Result<std::shared_ptr<const Backbone>> with_source(const SourceModel& source) const = 0;

  /// N x D: what the trained network makes of the images, with its own statistics.
  virtual Result<Matrix> features(MatrixView images, ImageShape shape) const = 0;

  /// Any method of methods() or network_methods() but oracle, taking flat images as the rows of its batches.
  virtual Result<AdapterPointer> make_adapter(std::string_view method, ImageShape shape,
                                              const OptionValues& values = {}) const = 0;

  /// The supervised oracle: at the first batch of a time stamp it learns from the labelled rows of that time.
  virtual Result<AdapterPointer> make_oracle(const ImageStream& labelled, const OptionValues& values = {}) const = 0;
};

/// Shared by the adapters that start from it.
using BackbonePointer = std::shared_ptr<const Backbone>;

/// What the oracle may learn from, and what it is scored on.
struct LabelledSplit {
  ImageStream labelled;
  ImageStream rest;
};

/// Takes the oracle's share of every time step, at least one image, by its seed.
/// @param values options of the oracle
STAD_API Result<LabelledSplit> split_labelled(const ImageStream& images, const OptionValues& values);

/// Whether the torch component is there, or why it cannot be used. The first call loads it, in about half a second.
STAD_API Status find_torch();

/// A TorchScript file, scripted or traced.
/// @param head the name of its last linear layer; empty: found
STAD_API Result<BackbonePointer> open_backbone(const std::string& path, const std::string& head = "");
/// The same from the bytes of such a file, for those who keep networks elsewhere.
STAD_API Result<BackbonePointer> backbone_from_bytes(std::string_view bytes, const std::string& head = "");

/// How the small convolutional network of the Yearbook experiments is trained.
struct TrainingSettings {
  Index epochs = 8;
  Index batch_size = 32;
  double learning_rate = 1e-3;  ///< of Adam
  double validation = 0.1;      ///< share of the images kept apart to choose the best epoch
  std::uint64_t seed = 0;
};

/// How an epoch of the training went.
struct EpochReport {
  Index epoch = 0;  ///< from 1
  double loss = 0;  ///< mean over the epoch's training images
  double validation_accuracy = 0;
};

/// How far the training is.
struct TrainingProgress {
  Index steps_done = 0;
  Index steps = 0;
  double loss = 0;                      ///< moving mean
  std::optional<EpochReport> finished;  ///< at the end of an epoch
};
/// Told of every step; false ends the training.
using KeepTraining = std::function<bool(const TrainingProgress&)>;

/// A network and how it came to be.
struct TrainedNetwork {
  std::string file;  ///< the TorchScript file's bytes
  std::vector<EpochReport> epochs;
  Index best_epoch = 0;
  std::vector<bool> trained_on;  ///< one for each image
};

/// Four blocks of convolution, batch norm, rectifier and pooling, a mean, and a linear layer.
/// @param images labelled; all of them are used
STAD_API Result<TrainedNetwork> train_network(const ImageStream& images, const TrainingSettings& settings,
                                              const KeepTraining& keep_training = {});

}  // namespace stad
