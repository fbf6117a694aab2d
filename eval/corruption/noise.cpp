#include "corruption/noise.hpp"

#include "corruption/poisson.hpp"
#include "corruption/severity.hpp"

namespace stad::corruption {

void gaussian_noise(Image& image, int severity, Random& random) {
  const double deviation = at_severity({.04, .06, .08, .09, .10}, severity);
  for_each_value(image, [&](float value) { return value + static_cast<float>(deviation * random.normal()); });
}

void shot_noise(Image& image, int severity, Random& random) {
  const double photons = at_severity({500., 250., 100., 75., 50.}, severity);
  for_each_value(image, [&](float value) {
    return static_cast<float>(static_cast<double>(poisson(photons * static_cast<double>(value), random)) / photons);
  });
}

void impulse_noise(Image& image, int severity, Random& random) {
  const double share = at_severity({.01, .02, .03, .05, .07}, severity);
  for_each_value(image, [&](float value) {
    const double drawn = random.uniform();
    if (drawn >= share) return value;
    return drawn < share / 2 ? 0.0F : 1.0F;
  });
}

}  // namespace stad::corruption
