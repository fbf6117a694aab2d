#include "corruption/digital.hpp"

#include <numeric>

#include "corruption/box_resize.hpp"
#include "corruption/jpeg.hpp"
#include "corruption/severity.hpp"

namespace stad::corruption {

void contrast(Image& image, int severity, Random&) {
  const float share = at_severity({.75F, .5F, .4F, .3F, .15F}, severity);
  for (auto& plane : image) {
    const double sum = std::accumulate(plane.values.begin(), plane.values.end(), 0.0);
    const auto mean = static_cast<float>(sum / static_cast<double>(plane.values.size()));
    for (float& value : plane.values) value = (value - mean) * share + mean;
  }
}

void pixelate(Image& image, int severity, Random&) {
  const double share = at_severity({.95, .9, .85, .75, .65}, severity);
  const auto shrunk = [&](Index side) { return static_cast<Index>(static_cast<double>(side) * share); };
  for (auto& plane : image) {
    const Plane small = box_resized(plane, shrunk(plane.height), shrunk(plane.width));
    plane = box_resized(small, plane.height, plane.width);
  }
}

void jpeg_compression(Image& image, int severity, Random&) {
  image = jpeg_round_trip(image, at_severity({80, 65, 58, 50, 40}, severity));
}

}  // namespace stad::corruption
