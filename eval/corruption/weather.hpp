#pragma once

#include "base/random.hpp"
#include "corruption/image.hpp"

namespace stad::corruption {

// What the weather does to a scene.

void snow(Image& image, int severity, Random& random);
void frost(Image& image, int severity, Random& random);
void fog(Image& image, int severity, Random& random);
void brightness(Image& image, int severity, Random& random);

}  // namespace stad::corruption
