#pragma once

#include <vector>

#include <stad/backbone.hpp>

namespace stad::backbone {

/// Which images are learned from, and which choose the best epoch.
struct TrainingRows {
  std::vector<Index> training;
  std::vector<Index> validation;
};

/// Splits the images at random by the settings' seed; refuses what cannot be trained on.
Result<TrainingRows> split_rows(const ImageStream& images, const TrainingSettings& settings);

/// One more than the largest label.
Index count_classes(const ImageStream& images);

}  // namespace stad::backbone
