#pragma once

#include <string_view>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

#include "base/random.hpp"
#include "corruption/image.hpp"

namespace stad::corruption {

/// One of the fifteen corruptions: its name, and the function that applies it at a severity from 1 to 5.
struct Corruption {
  std::string_view name;
  void (*apply)(Image& image, int severity, Random& random);
};

/// The corruption of this name; an error that lists all names if there is none.
Result<Corruption> corruption_named(std::string_view name);

inline constexpr int kSeverities = 5;

/// Selects one of the five published parameters; severities count from 1.
template <typename T>
T at_severity(const T (&values)[kSeverities], int severity) {
  return values[severity - 1];
}

// The fifteen corruptions of Hendrycks and Dietterich (2019). Each is deterministic for a given `random`.

// Noise of the sensor.

void gaussian_noise(Image& image, int severity, Random& random);
void shot_noise(Image& image, int severity, Random& random);     ///< Poisson noise of a small number of photons
void impulse_noise(Image& image, int severity, Random& random);  ///< salt and pepper

inline constexpr Index kLargestPoissonMean = 500;

/// Draws from a Poisson distribution of this mean, from 0 to kLargestPoissonMean. Takes about 2 sqrt(mean) steps.
Index poisson(double mean, Random& random);

// Blur by optics and motion.

void defocus_blur(Image& image, int severity, Random& random);
void glass_blur(Image& image, int severity, Random& random);  ///< frosted glass
void motion_blur(Image& image, int severity, Random& random);
void zoom_blur(Image& image, int severity, Random& random);

// Weather.

void snow(Image& image, int severity, Random& random);
void frost(Image& image, int severity, Random& random);
void fog(Image& image, int severity, Random& random);
void brightness(Image& image, int severity, Random& random);

// Processing and storage.

void contrast(Image& image, int severity, Random& random);
void elastic_transform(Image& image, int severity, Random& random);
void pixelate(Image& image, int severity, Random& random);
void jpeg_compression(Image& image, int severity, Random& random);

}  // namespace stad::corruption
