#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <stad/backbone.hpp>
#include <stad/error.hpp>
#include <stad/methods.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

#include "common/json_text.hpp"

namespace stad::cli::bench {

class ImageData;

/// Polled by long operations; false cancels them.
using ShouldContinue = std::function<bool()>;

/// The data of a run: the last layer of a trained network, and rows to classify.
class RunData {
 public:
  virtual ~RunData() = default;

  const SourceModel& source() const { return source_; }
  /// Labels and times: sufficient for batching and scoring. For images the features are blank.
  const FeatureStream& outline() const { return outline_; }
  /// Hashes that identify the data in the run store.
  const Json& identity() const { return identity_; }

  /// Null for data that are embeddings only.
  virtual const ImageData* images() const { return nullptr; }
  /// The embeddings, computed on first use, which may take long. Thread-safe; valid as long as this object.
  virtual Result<const FeatureStream*> features(const ShouldContinue& should_continue) const = 0;
  /// All options of the method with their resolved values, or the error that keeps it from starting.
  virtual Result<std::vector<OptionSetting>> resolve(const std::string& method, const OptionValues& options) const;

 protected:
  RunData(SourceModel source, FeatureStream outline, Json identity)
      : source_(std::move(source)), outline_(std::move(outline)), identity_(std::move(identity)) {}

 private:
  SourceModel source_;
  FeatureStream outline_;
  Json identity_;
};

/// Recorded embeddings.
class FeatureData : public RunData {
 public:
  FeatureData(const SourceModel& source, const FeatureStream& stream);

  Result<const FeatureStream*> features(const ShouldContinue&) const override { return &outline(); }
};

using ImagesPointer = std::shared_ptr<const ImageStream>;

/// One variant of an image file: clean, or under one corruption of growing severity. Corrupted images are computed on
/// demand, shared while they are in use and released afterwards, because all corruptions together exceed the memory.
class ImageVariant {
 public:
  /// @param corruption empty: clean images
  /// @param count images per severity
  ImageVariant(ImagesPointer clean, std::string corruption, Index count);

  const ImageShape& shape() const { return clean_->shape; }
  /// Labels and times, available without computing images; the features are blank, with `columns` columns.
  FeatureStream outline(Index columns) const;
  /// The images. Thread-safe.
  Result<ImagesPointer> load() const;

 private:
  Result<ImagesPointer> make() const;

  ImagesPointer clean_;
  std::string corruption_;
  Index count_;
  mutable std::mutex mutex_;
  mutable std::weak_ptr<const ImageStream> cached_;
};

using ImageVariantPointer = std::shared_ptr<const ImageVariant>;

/// Seed of the corruptions: equal for all runs.
inline constexpr std::uint64_t kCorruptionSeed = 0;

/// A loaded network and the hashes that identify it.
class LoadedNetwork {
 public:
  LoadedNetwork(BackbonePointer backbone, std::uint64_t fingerprint);

  const Backbone& backbone() const { return *backbone_; }
  const Json& identity() const { return identity_; }
  /// As RunData::resolve(). Cached, because resolving copies the weights of the network. Not thread-safe.
  Result<std::vector<OptionSetting>> resolve(const std::string& method, const ImageShape& shape,
                                             const OptionValues& options) const;

 private:
  BackbonePointer backbone_;
  Json identity_;
  mutable std::map<std::string, Result<std::vector<OptionSetting>>> resolved_;
};

using LoadedNetworkPointer = std::shared_ptr<const LoadedNetwork>;

/// The rows in use: others need no embeddings.
struct TimeRange {
  std::optional<double> since;
  std::optional<double> until;

  bool contains(double time) const { return (!since || time >= *since) && (!until || time <= *until); }
};

/// A network and its input images. Embeddings are computed once, on first use, and kept for all runs.
class ImageData : public RunData {
 public:
  /// @param identity hashes of the images; those of the network are added
  ImageData(LoadedNetworkPointer network, ImageVariantPointer images, TimeRange used, Json identity);

  const ImageData* images() const override { return this; }
  Result<const FeatureStream*> features(const ShouldContinue& should_continue) const override;
  Result<std::vector<OptionSetting>> resolve(const std::string& method, const OptionValues& options) const override;

  const Backbone& backbone() const { return network_->backbone(); }
  Result<ImagesPointer> load_images() const { return images_->load(); }

 private:
  Result<FeatureStream> embed(const ShouldContinue& should_continue) const;

  LoadedNetworkPointer network_;
  ImageVariantPointer images_;
  TimeRange used_;
  mutable std::mutex mutex_;
  mutable std::optional<FeatureStream> features_;
};

}  // namespace stad::cli::bench
