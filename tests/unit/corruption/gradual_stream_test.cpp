#include <stad/eval/corruption.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include "smooth_images.hpp"

namespace stad::corruption {
namespace {

constexpr ImageShape kSmallShape{1, 8, 8};

ImageStream clean_stream(Index images) {
  ImageStream stream{kSmallShape, FeatureStream::from(smooth_images(images, kSmallShape))};
  for (Index i = 0; i < images; ++i) stream.pixels.labels.push_back(i % 10);
  stream.pixels.time.assign(static_cast<std::size_t>(images), 1930);
  return stream;
}

TEST(GradualStream, ShowsTheFirstImagesAtEverySeverity) {
  const auto clean = clean_stream(30);
  const auto stream = gradual_stream(clean, "contrast", {.images = 20});
  ASSERT_TRUE(stream) << stream.error().message;
  EXPECT_EQ(stream->shape, kSmallShape);
  EXPECT_EQ(stream->pixels.features.rows, 100);
  for (int severity = 1; severity <= 5; ++severity) {
    const auto expected = corrupt(clean.pixels.features.rows_from(0, 20), kSmallShape, "contrast", severity, 0);
    for (Index i = 0; i < 20; ++i) {
      const Index row = (severity - 1) * 20 + i;
      EXPECT_TRUE(std::ranges::equal(stream->pixels.features.row(row), expected->row(i)));
      EXPECT_EQ(stream->pixels.time[static_cast<std::size_t>(row)], severity);
      EXPECT_EQ(stream->pixels.labels[static_cast<std::size_t>(row)], i % 10);
    }
  }
}

TEST(GradualStream, HasAThousandImagesASeverityOrAllOfFewer) {
  EXPECT_EQ(gradual_stream(clean_stream(1100), "contrast")->pixels.features.rows, 5000);
  EXPECT_EQ(gradual_stream(clean_stream(3), "contrast")->pixels.features.rows, 15);
}

TEST(GradualStream, FollowsTheSeveritiesAskedFor) {
  const auto stream = gradual_stream(clean_stream(1), "fog", {{5, 2, 5}, {}, 0});
  EXPECT_EQ(stream->pixels.time, (std::vector<double>{5, 2, 5}));
}

TEST(GradualStream, HasNoLabelsWhereThereWereNone) {
  auto clean = clean_stream(4);
  clean.pixels.labels.clear();
  EXPECT_FALSE(gradual_stream(clean, "fog")->pixels.has_labels());
}

TEST(GradualStream, RefusesWhatItCannotShow) {
  const auto error = [](const ImageStream& clean, const GradualSettings& settings) {
    return gradual_stream(clean, "fog", settings).error().message;
  };
  EXPECT_EQ(error(clean_stream(4), {.images = 5}), "images = 5, must be from 1 to 4, the number of images");
  EXPECT_EQ(error(clean_stream(4), {.images = 0}), "images = 0, must be from 1 to 4, the number of images");
  EXPECT_EQ(error(clean_stream(4), {{}, {}, 0}), "severities is empty, must have at least 1");
  EXPECT_EQ(error(clean_stream(4), {{1, 7}, {}, 0}), "severity = 7, must be from 1 to 5");
  auto contradictory = clean_stream(4);
  contradictory.pixels.labels.pop_back();
  EXPECT_EQ(error(contradictory, {}), "labels has 3 values, images has 4 rows, must have one for each row");
}

}  // namespace
}  // namespace stad::corruption
