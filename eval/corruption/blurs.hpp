#pragma once

#include "base/random.hpp"
#include "corruption/image.hpp"

namespace stad::corruption {

// What goes wrong between the scene and the sensor.

void defocus_blur(Image& image, int severity, Random& random);
void glass_blur(Image& image, int severity, Random& random);  ///< frosted glass
void motion_blur(Image& image, int severity, Random& random);
void zoom_blur(Image& image, int severity, Random& random);

}  // namespace stad::corruption
