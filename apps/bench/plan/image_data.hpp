#pragma once

#include <mutex>
#include <optional>

#include "bench/plan/open_network.hpp"
#include "bench/plan/run_data.hpp"
#include "bench/plan/shown_images.hpp"

namespace stad::cli::bench {

/// The rows of interest: others need no embeddings.
struct TimeRange {
  std::optional<double> since;
  std::optional<double> until;

  bool holds(double time) const { return (!since || time >= *since) && (!until || time <= *until); }
};

/// A network and the images it is shown. Embeddings are made on first need, once for all runs, and stay.
class ImageData : public RunData {
 public:
  /// @param identity what tells the images apart; the network adds its own
  ImageData(OpenNetworkPointer network, ShownImagesPointer images, TimeRange used, Json identity);

  const ImageData* images() const override { return this; }
  Result<const FeatureStream*> features(const KeepWorking& keep_working) const override;
  Result<std::vector<OptionSetting>> resolve(const std::string& method, const OptionValues& options) const override;

  const Backbone& backbone() const { return network_->backbone(); }
  Result<ImagesPointer> hold_images() const { return images_->hold(); }

 private:
  Result<FeatureStream> embed(const KeepWorking& keep_working) const;

  OpenNetworkPointer network_;
  ShownImagesPointer images_;
  TimeRange used_;
  mutable std::mutex mutex_;
  mutable std::optional<FeatureStream> features_;
};

}  // namespace stad::cli::bench
