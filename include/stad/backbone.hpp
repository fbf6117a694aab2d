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

/// Properties of a network.
struct BackboneInfo {
  std::string head;       ///< the last linear layer, such as "fc"
  Index parameters = 0;   ///< values, head included
  Index batch_norms = 0;  ///< number of layers of each kind
  Index layer_norms = 0;
  Index group_norms = 0;
};

/// A trained network that maps images to embeddings. Immutable and shared by the adapters created from it, each of
/// which has weights of its own. Unlike elsewhere in the library, the bits of an answer depend on the number of
/// threads, because torch computes the products.
class STAD_API Backbone {
 public:
  virtual ~Backbone() = default;

  virtual const BackboneInfo& info() const = 0;

  /// The last layer, which every method starts from.
  virtual const SourceModel& source() const = 0;

  /// The same network with the feature mean and class names of `source`, whose weights must equal those of the network.
  virtual Result<std::shared_ptr<const Backbone>> with_source(const SourceModel& source) const = 0;

  /// N x D: embeddings of the images by the trained network with its stored statistics.
  virtual Result<Matrix> features(MatrixView images, ImageShape shape) const = 0;

  /// An adapter of any method of methods() or network_methods() except oracle. Rows of its batches are flat images.
  virtual Result<AdapterPointer> make_adapter(std::string_view method, ImageShape shape,
                                              const OptionValues& values = {}) const = 0;

  /// The supervised oracle: at the first batch of each time it learns from the labelled rows of that time.
  virtual Result<AdapterPointer> make_oracle(const ImageStream& labelled, const OptionValues& values = {}) const = 0;
};

/// Shared by the adapters that start from it.
using BackbonePointer = std::shared_ptr<const Backbone>;

/// Images that the oracle learns from, and images that it is scored on.
struct LabelledSplit {
  ImageStream labelled;
  ImageStream rest;
};

/// Draws the labelled share of every time step, at least one image, with the seed of the options.
/// @param values options of the oracle
STAD_API Result<LabelledSplit> split_labelled(const ImageStream& images, const OptionValues& values);

/// Loads the torch component on the first call, which takes about half a second. Fails with the reason if it is
/// missing.
STAD_API Status find_torch();

/// A TorchScript file, scripted or traced.
/// @param head name of the last linear layer; empty: detected
STAD_API Result<BackbonePointer> open_backbone(const std::string& path, const std::string& head = "");
/// The same from the bytes of such a file.
STAD_API Result<BackbonePointer> backbone_from_bytes(std::string_view bytes, const std::string& head = "");

/// Training of the small convolutional network of the Yearbook experiments.
struct TrainingSettings {
  Index epochs = 8;
  Index batch_size = 32;
  double learning_rate = 1e-3;  ///< of Adam
  double validation = 0.1;      ///< share of the images held out to select the best epoch
  std::uint64_t seed = 0;
};

/// Result of one epoch.
struct EpochReport {
  Index epoch = 0;  ///< from 1
  double loss = 0;  ///< mean over the epoch's training images
  double validation_accuracy = 0;
};

/// Progress of the training.
struct TrainingProgress {
  Index steps_done = 0;
  Index steps = 0;
  double loss = 0;                      ///< moving mean
  std::optional<EpochReport> finished;  ///< at the end of an epoch
};
/// Called after every step; returning false ends the training.
using KeepTraining = std::function<bool(const TrainingProgress&)>;

/// A trained network and its training history.
struct TrainedNetwork {
  std::string file;  ///< the TorchScript file's bytes
  std::vector<EpochReport> epochs;
  Index best_epoch = 0;
  std::vector<bool> trained_on;  ///< one for each image
};

/// Four blocks of convolution, batch norm, rectifier and pooling, a mean, and a linear layer.
/// @param images with labels; all of them are used
STAD_API Result<TrainedNetwork> train_network(const ImageStream& images, const TrainingSettings& settings,
                                              const KeepTraining& keep_training = {});

}  // namespace stad
