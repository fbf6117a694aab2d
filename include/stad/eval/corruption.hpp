#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/matrix.hpp>
#include <stad/streams.hpp>

namespace stad {

/// The fifteen common corruptions of Hendrycks and Dietterich (2019), in their order.
STAD_API std::span<const std::string_view> corruptions();

/// Applies a corruption at a severity from 1 to 5 with the parameters published for 32 x 32 images (CIFAR-10-C).
/// Lengths in pixels do not scale with the size, except those of elastic_transform, which are shares of the side. Frost
/// uses a computed texture; the published one uses photographs.
/// @param pixels each row an image of 1 or 3 channels and at least 8 x 8 pixels, values from 0 to 1
/// @return as many rows, multiples of 1/255; the same seed gives the same bits on any number of threads
STAD_API Result<Matrix> corrupt(MatrixView pixels, const ImageShape& shape, std::string_view corruption, int severity,
                                std::uint64_t seed = 0);

/// Severities of a gradual stream and its number of images.
struct GradualSettings {
  std::vector<int> severities{1, 2, 3, 4, 5};  ///< in the order of the stream
  std::optional<Index> images;  ///< first images used at each severity; unset: 1000, or all if there are fewer
  std::uint64_t seed = 0;
};

/// The same images at each severity, which becomes their time, with their labels.
STAD_API Result<ImageStream> gradual_stream(const ImageStream& clean, std::string_view corruption,
                                            const GradualSettings& settings = {});

}  // namespace stad
