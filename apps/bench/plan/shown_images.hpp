#pragma once

#include <memory>
#include <mutex>
#include <string>

#include <stad/error.hpp>
#include <stad/streams.hpp>

namespace stad::cli::bench {

using ImagesPointer = std::shared_ptr<const ImageStream>;

/// Images as networks are shown them: as they are, or under one corruption of growing severity. Corrupted ones are
/// made when somebody needs them, shared while anybody holds them, and let go afterwards: those of all corruptions
/// together would not fit.
class ShownImages {
 public:
  /// @param corruption empty: as they are
  /// @param count images a severity
  ShownImages(ImagesPointer clean, std::string corruption, Index count);

  const ImageShape& shape() const { return clean_->shape; }
  /// Labels and times, known without making anything; features of that many columns are blank.
  FeatureStream outline(Index columns) const;
  /// Threads may ask together.
  Result<ImagesPointer> hold() const;

 private:
  Result<ImagesPointer> make() const;

  ImagesPointer clean_;
  std::string corruption_;
  Index count_;
  mutable std::mutex mutex_;
  mutable std::weak_ptr<const ImageStream> made_;
};

using ShownImagesPointer = std::shared_ptr<const ShownImages>;

/// Of the randomness in corruptions: every run sees the same.
inline constexpr std::uint64_t kCorruptionSeed = 0;

}  // namespace stad::cli::bench
