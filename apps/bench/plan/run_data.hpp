#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <stad/methods.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

#include "common/json_text.hpp"

namespace stad::cli::bench {

class ImageData;

/// Asked now and then by what takes long; false ends it.
using KeepWorking = std::function<bool()>;

/// What runs work on: the last layer of a trained network, and rows to answer.
class RunData {
 public:
  virtual ~RunData() = default;

  const SourceModel& source() const { return source_; }
  /// Labels and times: enough to cut batches and to score. Of images the features are blank.
  const FeatureStream& outline() const { return outline_; }
  /// What tells it from other data, for the store.
  const Json& identity() const { return identity_; }

  /// Null where there are embeddings alone.
  virtual const ImageData* images() const { return nullptr; }
  /// The embeddings; may take long. Threads may ask together, and the answer lives as long as this does.
  virtual Result<const FeatureStream*> features(const KeepWorking& keep_working) const = 0;
  /// What a method's options come to, or why it cannot start from here.
  virtual Result<std::vector<OptionSetting>> resolve(const std::string& method, const OptionValues& options) const;

 protected:
  RunData(SourceModel source, FeatureStream outline, Json identity)
      : source_(std::move(source)), outline_(std::move(outline)), identity_(std::move(identity)) {}

 private:
  SourceModel source_;
  FeatureStream outline_;
  Json identity_;
};

/// Embeddings that were recorded.
class FeatureData : public RunData {
 public:
  FeatureData(const SourceModel& source, const FeatureStream& stream);

  Result<const FeatureStream*> features(const KeepWorking&) const override { return &outline(); }
};

}  // namespace stad::cli::bench
