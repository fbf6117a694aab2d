#pragma once

#include <stad/backbone.hpp>

namespace stad::backbone {

/// See train_network of stad/backbone.hpp.
Result<TrainedNetwork> train(const ImageStream& images, const TrainingSettings& settings,
                             const KeepTraining& keep_training);

}  // namespace stad::backbone
