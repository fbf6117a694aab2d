#include "bench/plan/shown_images.hpp"

#include <vector>

#include <stad/eval/corruption.hpp>

namespace stad::cli::bench {

ShownImages::ShownImages(ImagesPointer clean, std::string corruption, Index count)
    : clean_(std::move(clean)), corruption_(std::move(corruption)), count_(count) {}

FeatureStream ShownImages::outline(Index columns) const {
  const FeatureStream& clean = clean_->pixels;
  FeatureStream outline;
  outline.name = clean.name;
  outline.labels = clean.labels;
  outline.time = clean.time;
  Index rows = clean.features.rows;
  if (!corruption_.empty()) {
    outline.labels.clear();
    outline.time.clear();
    for (const int severity : GradualSettings{}.severities) {
      outline.time.insert(outline.time.end(), static_cast<std::size_t>(count_), severity);
      if (clean.has_labels())
        outline.labels.insert(outline.labels.end(), clean.labels.begin(), clean.labels.begin() + count_);
    }
    rows = static_cast<Index>(outline.time.size());
  }
  const auto blank = std::make_shared<const std::vector<float>>(static_cast<std::size_t>(columns));
  outline.features = MatrixView(blank->data(), rows, columns, 0);  // every row is the same one
  outline.storage = blank;
  return outline;
}

Result<ImagesPointer> ShownImages::hold() const {
  if (corruption_.empty()) return clean_;
  const std::scoped_lock lock(mutex_);
  if (auto held = made_.lock()) return held;
  auto images = make();
  if (images) made_ = *images;
  return images;
}

Result<ImagesPointer> ShownImages::make() const {
  auto stream = gradual_stream(*clean_, corruption_, {.images = count_, .seed = kCorruptionSeed});
  if (!stream) return stream.error();
  return std::make_shared<const ImageStream>(*std::move(stream));
}

}  // namespace stad::cli::bench
