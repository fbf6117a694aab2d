#pragma once

#include <span>
#include <string>

#include <stad/backbone.hpp>

namespace stad {

/// What the torch component gives. It is a library of its own, loaded on first use: whoever has no network never waits
/// for libtorch, and does without it.
struct TorchComponent {
  const char* version;  ///< must be the library's own
  Result<BackbonePointer> (*open)(std::span<const std::byte> file, const std::string& head);
  Result<TrainedNetwork> (*train)(const ImageStream& images, const TrainingSettings& settings,
                                  const KeepTraining& keep_training);
};

inline constexpr const char* kTorchEntry = "stad_torch_component";

}  // namespace stad
