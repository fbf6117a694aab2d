#include "torch/training_rows.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/try.hpp"
#include "torch/small_cnn.hpp"

namespace stad::backbone {
namespace {

constexpr Index kMostClasses = 100'000;

Status check_images(const ImageStream& images) {
  const std::string& name = images.pixels.name;
  if (!images.pixels.has_labels()) return invalid(fmt::format("{}: has no labels, which training needs", name));
  if (images.shape.height < kLeastSide || images.shape.width < kLeastSide)
    return invalid(fmt::format("{}: images are {} x {}, must be at least {} x {}", name, images.shape.height,
                               images.shape.width, kLeastSide, kLeastSide));
  const auto [least, most] = std::ranges::minmax_element(images.pixels.labels);
  if (*least < 0 || *most < 1 || *most >= kMostClasses)
    return invalid(fmt::format("{}: labels go from {} to {}, must begin at 0 or above and end between 1 and {}", name,
                               *least, *most, kMostClasses - 1));
  return {};
}

Status check_settings(const TrainingSettings& settings) {
  if (settings.epochs < 1) return invalid(fmt::format("epochs is {}, must be at least 1", settings.epochs));
  if (settings.batch_size < 2) return invalid(fmt::format("batch size is {}, must be at least 2", settings.batch_size));
  if (!(settings.learning_rate > 0))
    return invalid(fmt::format("learning rate is {}, must be positive", settings.learning_rate));
  if (!(settings.validation > 0 && settings.validation < 1))
    return invalid(fmt::format("validation is {}, must be between 0 and 1", settings.validation));
  return {};
}

}  // namespace

Result<TrainingRows> split_rows(const ImageStream& images, const TrainingSettings& settings) {
  STAD_TRY(check_settings(settings));
  STAD_TRY(check_images(images));
  std::vector<Index> rows(static_cast<std::size_t>(images.pixels.features.rows));
  std::iota(rows.begin(), rows.end(), Index{0});
  Random(settings.seed).shuffle(rows);
  const auto apart = static_cast<std::ptrdiff_t>(settings.validation * static_cast<double>(rows.size()));
  if (apart < 1 || apart + 2 > std::ssize(rows))
    return invalid(fmt::format("{}: has {} images, too few for a validation share of {}", images.pixels.name,
                               rows.size(), settings.validation));
  return TrainingRows{{rows.begin() + apart, rows.end()}, {rows.begin(), rows.begin() + apart}};
}

Index count_classes(const ImageStream& images) { return *std::ranges::max_element(images.pixels.labels) + 1; }

}  // namespace stad::backbone
