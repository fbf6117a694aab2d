#include <stad/streams.hpp>

#include <algorithm>

namespace stad {

ImageStream select_images(const ImageStream& images, std::span<const Index> rows) {
  const FeatureStream& all = images.pixels;
  Matrix pixels(static_cast<Index>(rows.size()), all.features.cols);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(all.features.row(rows[i]), pixels.row(static_cast<Index>(i)).begin());
  FeatureStream chosen = FeatureStream::from(std::move(pixels));
  chosen.name = all.name;
  for (const Index row : rows) {
    if (all.has_labels()) chosen.labels.push_back(all.labels[static_cast<std::size_t>(row)]);
    if (all.has_time()) chosen.time.push_back(all.time[static_cast<std::size_t>(row)]);
  }
  return {images.shape, std::move(chosen)};
}

}  // namespace stad
