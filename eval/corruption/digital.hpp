#pragma once

#include "base/random.hpp"
#include "corruption/image.hpp"

namespace stad::corruption {

// What goes wrong when images are processed and stored.

void contrast(Image& image, int severity, Random& random);
void elastic_transform(Image& image, int severity, Random& random);
void pixelate(Image& image, int severity, Random& random);
void jpeg_compression(Image& image, int severity, Random& random);

}  // namespace stad::corruption
