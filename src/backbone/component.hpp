#pragma once

#include <span>
#include <string>

#include <stad/backbone.hpp>

namespace stad {

/// Entry points of the torch component, a library of its own that is loaded on first use, so that programs without a
/// network neither need nor load libtorch.
struct TorchComponent {
  const char* version;  ///< must equal kVersion
  Result<BackbonePointer> (*open)(std::span<const std::byte> file, const std::string& head);
  Result<TrainedNetwork> (*train)(const ImageStream& images, const TrainingSettings& settings,
                                  const KeepTraining& keep_training);
};

inline constexpr const char* kTorchEntry = "stad_torch_component";

}  // namespace stad
