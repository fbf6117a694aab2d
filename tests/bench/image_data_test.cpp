// Data shared by runs on images, without a real network.

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "bench/plan/run_data.hpp"

namespace stad::testing {
namespace {

using namespace cli::bench;

/// Returns the first two values of every image as its features, and counts the images.
class CountingNetwork : public Backbone {
 public:
  const BackboneInfo& info() const override { return info_; }
  const SourceModel& source() const override { return source_; }
  Result<BackbonePointer> with_source(const SourceModel&) const override { return invalid("not asked"); }
  Result<AdapterPointer> make_adapter(std::string_view, ImageShape, const OptionValues&) const override {
    return invalid("not asked");
  }
  Result<AdapterPointer> make_oracle(const ImageStream&, const OptionValues&) const override {
    return invalid("not asked");
  }

  Result<Matrix> features(MatrixView images, ImageShape) const override {
    asked += images.rows;
    Matrix rows(images.rows, 2);
    for (Index i = 0; i < images.rows; ++i) std::copy_n(images.row(i).begin(), 2, rows.row(i).begin());
    return rows;
  }

  mutable std::atomic<Index> asked = 0;

 private:
  static SourceModel plain_head() {
    Matrix weight(2, 2);
    weight(0, 0) = weight(1, 1) = 1;
    return *SourceModel::create(std::move(weight));
  }

  BackboneInfo info_;
  SourceModel source_ = plain_head();
};

/// 300 images of 8 x 8 in six time steps, not in order; every pixel of an image is the same.
ImagesPointer greys() {
  Matrix pixels(300, 64);
  ImageStream images{{1, 8, 8}, {}};
  std::vector<double> time;
  for (Index i = 0; i < 300; ++i) {
    std::fill(pixels.row(i).begin(), pixels.row(i).end(), static_cast<float>(i) / 300);
    time.push_back(static_cast<double>(i % 6));
  }
  images.pixels = FeatureStream::from(std::move(pixels));
  images.pixels.time = time;
  images.pixels.labels.assign(300, 1);
  return std::make_shared<const ImageStream>(std::move(images));
}

bool always() { return true; }

class ImageDataTest : public ::testing::Test {
 protected:
  std::shared_ptr<CountingNetwork> network = std::make_shared<CountingNetwork>();

  ImageData data(TimeRange range, const std::string& corruption = "") const {
    return ImageData(std::make_shared<const LoadedNetwork>(network, 1),
                     std::make_shared<const ImageVariant>(greys(), corruption, 20), range, {{"stream", "x"}});
  }
};

TEST_F(ImageDataTest, RunsTheNetworkOnceHoweverManyAsk) {
  const ImageData shared = data({});
  EXPECT_EQ(network->asked, 0) << "nothing asked yet";
  {
    std::vector<std::jthread> others;
    for (int t = 0; t < 4; ++t) others.emplace_back([&] { EXPECT_TRUE(shared.features(always)); });
  }
  EXPECT_EQ(network->asked, 300);
}

TEST_F(ImageDataTest, EmbedsTheRowsInUseIntoTheirPlaces) {
  const ImageData some = data({2, 3});
  const FeatureStream& features = **some.features(always);
  EXPECT_EQ(network->asked, 100);
  EXPECT_EQ(features.features.rows, 300);
  EXPECT_FLOAT_EQ(features.features.row(200)[0], 200.0F / 300) << "of time 2";
  EXPECT_EQ(features.features.row(201)[0], 201.0F / 300) << "of time 3";
  EXPECT_EQ(features.features.row(204)[0], 0) << "of time 0";
  EXPECT_EQ(features.labels, some.outline().labels);
}

TEST_F(ImageDataTest, StopsWhenToldTo) {
  const ImageData stopped = data({});
  EXPECT_FALSE(stopped.features([] { return false; }));
  EXPECT_EQ(network->asked, 0);
  EXPECT_TRUE(stopped.features(always)) << "and can be asked again";
}

TEST_F(ImageDataTest, KnowsTheOutlineOfCorruptedImagesWithoutMakingThem) {
  const ImageData corrupted = data({}, "fog");
  const FeatureStream& features = **corrupted.features(always);
  EXPECT_EQ(corrupted.outline().time, features.time);
  EXPECT_EQ(corrupted.outline().labels, features.labels);
  EXPECT_EQ(features.features.rows, 100) << "five severities of 20";
  EXPECT_EQ(features.time.back(), 5);
}

TEST(ImageVariant, SharesCorruptedImagesWhileTheyAreInUse) {
  const ImageVariant shown(greys(), "contrast", 20);
  auto first = *shown.load();
  EXPECT_EQ(*shown.load(), first);
  const std::weak_ptr<const ImageStream> trace = first;
  first.reset();
  EXPECT_TRUE(trace.expired());
  EXPECT_TRUE(shown.load()) << "made again";
}

TEST(ImageVariant, KeepsImagesAsTheyAre) {
  const auto clean = greys();
  EXPECT_EQ(*ImageVariant(clean, "", 0).load(), clean);
}

}  // namespace
}  // namespace stad::testing
