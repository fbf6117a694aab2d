#pragma once

#include <span>

#include <stad/export.hpp>
#include <stad/feature_stream.hpp>
#include <stad/index.hpp>

namespace stad {

/// What one image holds, in the order its values lie in memory: channels first.
struct ImageShape {
  Index channels = 0;
  Index height = 0;
  Index width = 0;

  Index size() const { return channels * height * width; }
  bool operator==(const ImageShape&) const = default;
};

/// A recorded stream of images: every row of `pixels` is one image, flat, as a network takes it.
struct ImageStream {
  ImageShape shape;
  FeatureStream pixels;  ///< N x (channels height width)
};

/// A stream of its own with some of the images, their labels and times, in the order of `rows`.
STAD_API ImageStream select_images(const ImageStream& images, std::span<const Index> rows);

}  // namespace stad
