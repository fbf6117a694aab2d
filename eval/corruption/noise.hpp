#pragma once

#include "base/random.hpp"
#include "corruption/image.hpp"

namespace stad::corruption {

// What goes wrong in the sensor. Severities here and below are from 1 to 5.

void gaussian_noise(Image& image, int severity, Random& random);
void shot_noise(Image& image, int severity, Random& random);     ///< few photons
void impulse_noise(Image& image, int severity, Random& random);  ///< salt and pepper

}  // namespace stad::corruption
