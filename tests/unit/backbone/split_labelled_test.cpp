#include <gtest/gtest.h>

#include <stad/backbone.hpp>

namespace stad {
namespace {

ImageStream labelled_images() {
  ImageStream images{{.channels = 1, .height = 1, .width = 2}, FeatureStream::from(Matrix(10, 2))};
  for (Index n = 0; n < 10; ++n) {
    images.pixels.labels.push_back(n % 2);
    images.pixels.time.push_back(static_cast<double>(n / 5));
  }
  return images;
}

std::string split_error(const ImageStream& images) {
  const auto split = split_labelled(images, {});
  return split ? "" : split.error().message;
}

TEST(SplitLabelled, GivesTheOracleRowsOfEveryStepAndTheRestToTheScore) {
  const auto split = *split_labelled(labelled_images(), {{"share", "0.4"}});
  EXPECT_EQ(split.labelled.pixels.time, (std::vector<double>{0, 0, 1, 1}));
  EXPECT_EQ(split.rest.pixels.features.rows, 6);
}

TEST(SplitLabelled, RefusesRowsTheOracleCannotLearnFromByTheirPlaceInTheStream) {
  auto images = labelled_images();
  images.pixels.labels[7] = kNoClass;
  EXPECT_EQ(split_error(images),
            "stream: labels row 7 is -1, must be a class: the oracle requires a label for every row");
  images.pixels.labels.clear();
  EXPECT_EQ(split_error(images), "stream: has no labels, the oracle requires them");
}

}  // namespace
}  // namespace stad
