#include "io/formats.hpp"

#include <stad/files.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "made_bytes.hpp"
#include "support/shared_files.hpp"
#include "support/temporary_directory.hpp"

namespace stad {
namespace {

using made::npy;
using made::values;

/// Two images of 1 x 2 pixels and 3 channels, channels last: 0, 1, 2 is the first pixel.
const std::string kColourImages =
    npy("|u1", "(2, 1, 2, 3)", values<std::uint8_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255}));
const std::string kGreyImages = npy("|u1", "(3, 1, 2)", values<std::uint8_t>({0, 255, 51, 1, 2, 3}));

Result<ImageStream> images_of(const std::vector<made::Entry>& entries) {
  return decode_images(own_bytes(made::zip(entries)));
}

std::string images_error(const std::string& images) {
  const auto read = images_of({{"images.npy", images}});
  return read ? "" : read.error().message;
}

std::string images_error_with(const std::string& name, const std::string& content) {
  const auto read = images_of({{"x.npy", kGreyImages}, {name + ".npy", content}});
  return read ? "" : read.error().message;
}

std::vector<float> image_row(const ImageStream& images, Index i) {
  const auto pixels = images.pixels.features.row(i);
  return {pixels.begin(), pixels.end()};
}

TEST(ImageFile, PutsTheChannelsOfBytesFirst) {
  const auto images = images_of({{"images.npy", kColourImages, 8}});
  ASSERT_TRUE(images) << images.error().message;
  EXPECT_EQ(images->shape, (ImageShape{3, 1, 2}));
  EXPECT_EQ(images->pixels.features.rows, 2);
  EXPECT_EQ(image_row(*images, 0), (std::vector<float>{0, 3 / 255.f, 1 / 255.f, 4 / 255.f, 2 / 255.f, 5 / 255.f}));
  EXPECT_EQ(image_row(*images, 1).back(), 1);
}

TEST(ImageFile, HoldsGreyImagesWithoutAChannelAxis) {
  const auto images = images_of({{"x.npy", kGreyImages}});
  ASSERT_TRUE(images) << images.error().message;
  EXPECT_EQ(images->shape, (ImageShape{1, 1, 2}));
  EXPECT_EQ(image_row(*images, 1), (std::vector<float>{51 / 255.f, 1 / 255.f}));
}

TEST(ImageFile, TakesFloatsAsTheyAre) {
  const auto read = [](const std::string& type, const std::string& data) {
    const auto images = images_of({{"images.npy", npy(type, "(1, 2, 1, 2)", data)}});
    EXPECT_TRUE(images && images->shape == (ImageShape{2, 1, 2}));
    return image_row(*images, 0);
  };
  const std::vector<float> expected{-2, 0.5, 1, 7};
  EXPECT_EQ(read("<f4", values({-2.f, 0.5f, 1.f, 7.f})), expected);
  EXPECT_EQ(read("<f8", values({-2., 0.5, 1., 7.})), expected);
  EXPECT_EQ(read(">f4", made::swapped({-2.f, 0.5f, 1.f, 7.f})), expected);
  EXPECT_EQ(read("<f2", values<std::uint16_t>({0xc000, 0x3800, 0x3c00, 0x4700})), expected);
}

TEST(ImageFile, MayBeInFortranOrder) {
  const auto bytes = npy("|u1", "(2, 2, 2)", values<std::uint8_t>({0, 1, 2, 3, 4, 5, 6, 7}), "True");
  const auto images = images_of({{"images.npy", bytes}});
  ASSERT_TRUE(images) << images.error().message;
  EXPECT_EQ(image_row(*images, 1), (std::vector<float>{1 / 255.f, 5 / 255.f, 3 / 255.f, 7 / 255.f}));
  const auto floats = npy("<f4", "(2, 1, 1, 2)", values({0.f, 1.f, 2.f, 3.f}), "True");
  EXPECT_EQ(image_row(*images_of({{"images.npy", floats}}), 1), (std::vector<float>{1, 3}));
}

TEST(ImageFile, HoldsLabelsTimeAndBatchSizesUnderEitherName) {
  const auto labels = npy("|u1", "(3,)", values<std::uint8_t>({0, 1, 2}));
  const auto years = npy("<u2", "(3,)", values<std::uint16_t>({1930, 1930, 1931}));
  const auto sizes = npy("<i8", "(2,)", values<std::int64_t>({2, 1}));
  for (const auto& [x, y, year] : {std::tuple("x", "y", "year"), std::tuple("images", "labels", "time")}) {
    const auto name = [](std::string array) { return array + ".npy"; };
    const auto images =
        images_of({{name(x), kGreyImages}, {name(y), labels}, {name(year), years}, {"batch_sizes.npy", sizes}});
    ASSERT_TRUE(images) << images.error().message;
    EXPECT_EQ(images->pixels.labels, (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(images->pixels.time, (std::vector<double>{1930, 1930, 1931}));
    EXPECT_EQ(images->pixels.batch_sizes, (std::vector<Index>{2, 1}));
  }
}

TEST(ImageFile, RefusesTwoNamesForOneThing) {
  EXPECT_EQ(images_error_with("images", kGreyImages), "has images and x, must have one of them");
  const auto three = npy("|u1", "(3,)", "abc");
  const auto both = images_of({{"x.npy", kGreyImages}, {"y.npy", three}, {"labels.npy", three}});
  EXPECT_EQ(both.error().message, "has labels and y, must have one of them");
}

TEST(ImageFile, RefusesOtherTypesAndShapesAndSaysWhatItFound) {
  const std::string rule = ", must be uint8 of N x H x W or N x H x W x C, or floats of N x C x H x W";
  EXPECT_EQ(images_error(npy("<i2", "(1, 1, 1)", "ab")), "images has type <i2 and shape (1, 1, 1)" + rule);
  EXPECT_EQ(images_error(npy("|u1", "(1, 2)", "ab")), "images has type |u1 and shape (1, 2)" + rule);
  EXPECT_EQ(images_error(npy("<f4", "(1, 1, 1)", "abcd")), "images has type <f4 and shape (1, 1, 1)" + rule);
  EXPECT_EQ(images_error(npy("|S1", "(1, 1, 1, 1)", "a")), "images has type |S1 and shape (1, 1, 1, 1)" + rule);
  EXPECT_EQ(images_error(npy("|u1", "(2, 0, 3)", "")), "images has shape (2, 0, 3), must have no extent of 0");
}

TEST(ImageFile, RefusesMoreChannelsThanAnImageHas) {
  EXPECT_EQ(images_error(npy("|u1", "(1, 1, 1, 65)", std::string(65, 'a'))),
            "images has type |u1 and shape (1, 1, 1, 65), which is 65 channels, must be 1 to 64; uint8 has them last");
  EXPECT_EQ(images_error(npy("|u1", "(1, 1, 1, 64)", std::string(64, 'a'))), "");
}

TEST(ImageFile, RefusesValuesTooLargeForFloat32) {
  EXPECT_EQ(images_error(npy("<f8", "(2, 1, 1, 1)", values({1., 1e39}))),
            "images[1] has the value 1e+39, too large for float32");
}

TEST(ImageFile, RefusesFieldsThatDoNotFit) {
  EXPECT_EQ(images_error_with("y", npy("|u1", "(2,)", "ab")), "y has 2 values, x has 3 rows, must be as many");
  EXPECT_EQ(images_error_with("year", npy("<f4", "(3,)", values<float>({0, 1, INFINITY}))),
            "year[2] is inf, must be finite");
  EXPECT_EQ(images_error_with("batch_sizes", npy("|u1", "(1,)", values<std::uint8_t>({2}))),
            "batch_sizes sum to 2, must sum to the 3 rows of x");
}

TEST(ImageFile, IsAnArchiveWithImages) {
  EXPECT_EQ(decode_images(own_bytes("1,2\n")).error().message, "is not an npz archive, images must be in one");
  EXPECT_EQ(images_of({{"features.npy", kGreyImages}}).error().message, "has no array 'images'; it has 'features'");
}

TEST(ImageFile, IsReadBackAsWritten) {
  const testing::TemporaryDirectory scratch;
  for (const auto& content : {kColourImages, npy("|u1", "(2, 1, 2)", values<std::uint8_t>({0, 1, 254, 255}))}) {
    auto images = *images_of({{"images.npy", content}});
    images.pixels.labels = {4, 5};
    images.pixels.time = {0.5, 1};
    images.pixels.batch_sizes = {1, 1};
    const auto path = scratch.file("images.npz");
    ASSERT_TRUE(write_images(path, images));
    const auto read = read_images(path);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->pixels.name, path);
    EXPECT_EQ(read->shape, images.shape);
    for (Index i = 0; i < 2; ++i) EXPECT_EQ(image_row(*read, i), image_row(images, i));
    EXPECT_EQ(read->pixels.labels, images.pixels.labels);
    EXPECT_EQ(read->pixels.time, images.pixels.time);
    EXPECT_EQ(read->pixels.batch_sizes, images.pixels.batch_sizes);
  }
}

TEST(ImageFile, IsNotWrittenFromValuesThatAreNoBytes) {
  const testing::TemporaryDirectory scratch;
  const auto path = scratch.file("x");
  for (const float wrong : {-0.01f, 1.01f, NAN}) {
    Matrix pixels(2, 4);
    pixels(1, 2) = wrong;
    const ImageStream images{{1, 2, 2}, FeatureStream::from(pixels)};
    const auto written = write_images(path, images);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message.find(path + ": images[1] has the value "), 0u) << written.error().message;
  }
  EXPECT_EQ(scratch.files(), 0u);
}

TEST(ImageFile, IsNotWrittenFromAStreamThatContradictsItself) {
  const testing::TemporaryDirectory scratch;
  ImageStream images{{3, 2, 2}, FeatureStream::from(Matrix(2, 4))};
  EXPECT_EQ(
      write_images(scratch.file("x"), images).error().message,
      scratch.file("x") + ": images have shape (3, 2, 2) and rows of 4 values, must have as many values as the shape");
  images.shape.channels = 1;
  images.pixels.labels = {1};
  EXPECT_EQ(write_images(scratch.file("x"), images).error().message,
            scratch.file("x") + ": labels has 1 values, images has 2 rows, must be as many");
}

TEST(ImageFile, ReadsTheYearbook) {
  STAD_NEEDS_SHARED("data/yearbook/yearbook32.npz");
  const auto images = read_images(testing::shared_path("data/yearbook/yearbook32.npz"));
  ASSERT_TRUE(images) << images.error().message;
  EXPECT_EQ(images->shape, (ImageShape{1, 32, 32}));
  EXPECT_EQ(images->pixels.time.size(), static_cast<std::size_t>(images->pixels.features.rows));
  EXPECT_EQ(images->pixels.labels.size(), images->pixels.time.size());
}

}  // namespace
}  // namespace stad
