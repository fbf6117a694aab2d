#include <stad/eval/corruption.hpp>
#include <stad/files.hpp>

#include "cli/command_test.hpp"

namespace stad::testing {
namespace {

class CorruptTest : public CommandTest {
 protected:
  void SetUp() override {
    Matrix pixels(12, 3 * 16 * 16);
    for (Index i = 0; i < pixels.size(); ++i) pixels.data()[i] = static_cast<float>(i * 7 % 256) / 255;
    ImageStream images{{3, 16, 16}, FeatureStream::from(std::move(pixels))};
    for (Index i = 0; i < 12; ++i) images.pixels.labels.push_back(i % 4);
    ASSERT_TRUE(write_images(directory.file("clean.npz"), images));
  }

  /// A run on those images.
  std::vector<std::string> arguments(const std::string& corruption, const std::string& out,
                                     std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"corrupt", "--images", "clean.npz", "--corruption", corruption, "--out", out};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  ImageStream images(const std::string& name) const {
    const auto read = read_images(directory.file(name));
    EXPECT_TRUE(read) << read.error().message;
    return *read;
  }
};

TEST_F(CorruptTest, WritesAStreamWhoseTimeIsTheSeverity) {
  const auto result = stad(arguments("fog", "fog.npz", {"--count", "10"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "fog.npz: 50 images of fog at severity 1, 2, 3, 4, 5\n");
  const auto stream = images("fog.npz");
  EXPECT_EQ(stream.shape, (ImageShape{3, 16, 16}));
  EXPECT_EQ(stream.pixels.features.rows, 50);
  EXPECT_EQ(stream.pixels.time[9], 1);
  EXPECT_EQ(stream.pixels.time[10], 2);
  EXPECT_EQ(stream.pixels.labels[13], 3);
}

TEST_F(CorruptTest, TakesAllImagesOfAShortFile) { EXPECT_EQ(json(arguments("snow", "s.npz"))["samples"], 60); }

TEST_F(CorruptTest, TakesTheSeveritiesAskedFor) {
  const auto report = json(arguments("contrast", "c.npz", {"--severity", "4", "--severity", "2"}));
  EXPECT_EQ(report["severities"], nlohmann::json({4, 2}));
  EXPECT_EQ(report["files"][0]["corruption"], "contrast");
  EXPECT_EQ(report["files"][0]["file"], "c.npz");
  EXPECT_EQ(images("c.npz").pixels.time.front(), 4);
  EXPECT_EQ(images("c.npz").pixels.time.back(), 2);
  EXPECT_EQ(json(arguments("contrast", "d.npz", {"--severity", "4,2"}))["samples"], 24);
  EXPECT_EQ(directory.read("c.npz"), directory.read("d.npz"));
}

TEST_F(CorruptTest, WritesAFileForEachOfAllCorruptions) {
  std::filesystem::create_directory(directory.file("all"));
  const auto report = json(arguments("all", "all", {"--severity", "1"}));
  EXPECT_EQ(report["files"].size(), corruptions().size());
  for (const auto name : corruptions())
    EXPECT_EQ(images("all/" + std::string(name) + ".npz").pixels.features.rows, 12) << name;
}

TEST_F(CorruptTest, GivesTheSameBytesForASeedOnAnyNumberOfThreads) {
  stad(arguments("glass_blur", "a.npz", {"--seed", "3", "--threads", "1"}));
  stad(arguments("glass_blur", "b.npz", {"--seed", "3", "--threads", "3"}));
  stad(arguments("glass_blur", "c.npz", {"--seed", "4"}));
  EXPECT_EQ(directory.read("a.npz"), directory.read("b.npz"));
  EXPECT_NE(directory.read("a.npz"), directory.read("c.npz"));
}

TEST_F(CorruptTest, RejectsWhatItCannotDo) {
  expect_rejected(arguments("rain", "o.npz"), {"--corruption", "rain", "gaussian_noise"});
  expect_rejected(arguments("fog", "o.npz", {"--severity", "6"}), {"--severity", "6"});
  expect_rejected(arguments("fog", "o.npz", {"--severity", "0"}), {"--severity", "0"});
  expect_rejected(arguments("fog", "o.npz", {"--count", "13"}), {"images = 13, must be from 1 to 12, the number of images"});
  expect_rejected(arguments("fog", "o.npz", {"--count", "0"}), {"images = 0"});
  expect_rejected(arguments("fog", "clean.npz"), {"--out clean.npz", "must be another file"});
  expect_rejected(arguments("fog", "."), {"--out .", "is a directory"});
  expect_rejected(arguments("fog", "nowhere/o.npz"), {"the directory nowhere does not exist"});
  expect_rejected(arguments("all", "nowhere"), {"--out nowhere: is not a directory"});
}

TEST_F(CorruptTest, RejectsFilesWithoutImages) {
  simulate("stream.npz");
  expect_rejected({"corrupt", "--images", "stream.npz", "--corruption", "fog", "--out", "o.npz"},
                  {"stream.npz: has no array 'images'"});
  expect_rejected({"corrupt", "--images", "none.npz", "--corruption", "fog", "--out", "o.npz"}, {"none.npz"});
}

TEST_F(CorruptTest, IsRecognisedByInspect) {
  EXPECT_EQ(json({"inspect", "clean.npz"})["usable_as"], nlohmann::json({"images"}));
}

}  // namespace
}  // namespace stad::testing
