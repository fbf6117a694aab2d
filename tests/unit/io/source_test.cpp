#include <stad/files.hpp>

#include <gtest/gtest.h>

#include "io/formats.hpp"
#include "made_bytes.hpp"
#include "support/temporary_directory.hpp"

namespace stad {
namespace {

using made::npy;
using made::values;

const std::string kWeight = npy("<f4", "(2, 3)", values({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}));

std::string source_error(const std::string& file) {
  const auto source = decode_source(own_bytes(file));
  return source ? "" : source.error().message;
}

/// The error of a head with this array.
std::string source_error_with(const std::string& name, const std::string& content) {
  return source_error(made::zip({{"weight.npy", kWeight}, {name + ".npy", content}}));
}

TEST(SourceFile, HoldsWeightBiasMeanAndClasses) {
  const auto file = made::zip({{"weight.npy", kWeight},
                               {"bias.npy", npy("<f8", "(2,)", values({0.5, -0.5}))},
                               {"mean.npy", npy("<i4", "(3,)", values({1, 2, 3}))},
                               {"classes.npy", npy("|S3", "(2,)", "catdog")}});
  const auto source = decode_source(own_bytes(file));
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(source->weight()(1, 2), 6);
  EXPECT_EQ(source->bias()[1], -0.5f);
  EXPECT_EQ(source->mean()[2], 3);
  EXPECT_EQ(source->class_names(), (std::vector<std::string>{"cat", "dog"}));
}

TEST(SourceFile, MayBeABareWeight) {
  const auto source = decode_source(own_bytes(kWeight));
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(source->classes(), 2);
  EXPECT_EQ(source->dimension(), 3);
  EXPECT_FALSE(source->has_bias());
  EXPECT_FALSE(source->has_class_names());
}

TEST(SourceFile, MayNameItsClassesByIntegers) {
  const auto file =
      made::zip({{"weight.npy", kWeight}, {"classes.npy", npy("<i8", "(2,)", values<std::int64_t>({10, 20}))}});
  EXPECT_EQ(decode_source(own_bytes(file))->class_names(), (std::vector<std::string>{"10", "20"}));
}

TEST(SourceFile, HoldsACard) {
  const auto file = made::zip({{"weight.npy", kWeight},
                               {"card_temperature.npy", npy("<f8", "()", values({1.5}))},
                               {"card_frequencies.npy", npy("<f4", "(2,)", values({0.25F, 0.75F}))},
                               {"card_accuracy.npy", npy("<f8", "(1,)", values({0.9}))}});
  const auto source = decode_source(own_bytes(file));
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(source->card().temperature, 1.5);
  EXPECT_EQ(source->card().frequencies, (std::vector<float>{0.25F, 0.75F}));
  EXPECT_EQ(source->card().accuracy, 0.9);
  EXPECT_FALSE(source->card().confidence);
  EXPECT_TRUE(source->card().means.empty());
}

TEST(SourceFile, GetsACardFromLabelledTrainingRows) {
  const auto rows = npy("<f4", "(2, 3)", values({1.f, 2.f, 0.f, -1.f, -2.f, 0.f}));
  const auto labels = npy("<i8", "(2,)", values<std::int64_t>({1, 0}));
  const auto file = made::zip({{"weight.npy", kWeight}, {"train_features.npy", rows}, {"train_labels.npy", labels}});
  const auto source = decode_source(own_bytes(file));
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(source->card().accuracy, 1);
  EXPECT_EQ(source->card().means(1, 1), 2);
  EXPECT_EQ(source_error_with("train_features", rows),
            "has no array 'train_labels'; it has 'weight', 'train_features'");
}

TEST(SourceFile, RefusesACardOfAnotherShape) {
  EXPECT_EQ(source_error_with("card_frequencies", npy("<f4", "(3,)", values({1.f, 0.f, 0.f}))),
            "card_frequencies has 3 values, must have 2 (one per class)");
  EXPECT_EQ(source_error_with("card_means", npy("<f4", "(2, 2)", values({1.f, 0.f, 0.f, 1.f}))),
            "card_means is 2 x 2, must be 2 x 3");
  EXPECT_EQ(source_error_with("card_accuracy", npy("<f8", "()", values({1.5}))),
            "card_accuracy is 1.5, must be from 0 to 1");
}

TEST(SourceFile, RefusesArraysOfAnotherShape) {
  EXPECT_EQ(source_error(npy("<f4", "(1, 1, 1)", values({1.f}))), "weight has 3 dimensions, must have 2");
  EXPECT_EQ(source_error_with("bias", npy("<f4", "(0,)", "")), "bias has 0 values, must have 2 (one per class)");
  EXPECT_EQ(source_error_with("mean", npy("<f4", "(1,)", values({1.f}))),
            "mean has 1 values, must have 3 (one per dimension)");
  EXPECT_EQ(source_error_with("bias", npy("<f4", "()", values({1.f}))), "bias has 0 dimensions, must have 1");
  EXPECT_EQ(source_error_with("classes", npy("|S1", "(3,)", "abc")),
            "classes has 3 values, must have 2 (one per class)");
}

TEST(SourceFile, RefusesWhatIsNoHead) {
  EXPECT_EQ(source_error("1,2\n3,4\n"), "is neither npz nor npy, a source must be one of them");
  EXPECT_EQ(source_error(made::zip({{"w.npy", kWeight}})), "has no array 'weight'; it has 'w'");
  EXPECT_EQ(source_error(npy("<f4", "(1000000000000000000, 0)", "")).find("weight has 0 columns"), 0u);
}

TEST(SourceFile, NamesTheFileInEveryError) {
  const testing::TemporaryDirectory scratch;
  const auto path = scratch.write("heads.npy", npy("<f4", "(1, 2)", values({1.f, 2.f})));
  EXPECT_EQ(read_source(path).error().message, path + ": weight has 1 rows (classes), must have at least 2");
  const auto broken = scratch.write("broken.npy", npy("<f8", "(2, 2)", values({1., 2., 1e200, 4.})));
  EXPECT_EQ(read_source(broken).error().message, broken + ": weight row 1 column 0 is 1e+200, too large for float32");
}

TEST(SourceFile, IsReadBackAsWritten) {
  const testing::TemporaryDirectory scratch;
  Matrix weight(2, 2);
  for (int i = 0; i < 4; ++i) weight.data()[i] = static_cast<float>(i) + 0.1f;
  const auto source = SourceModel::create(weight, {1, 2}, {3, 4}, {"na\xc3\xafve", "b"});
  ASSERT_TRUE(write_source(scratch.file("s.npz"), *source));
  const auto read = read_source(scratch.file("s.npz"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->fingerprint(), source->fingerprint());
  EXPECT_EQ(read->class_names(), source->class_names());
}

}  // namespace
}  // namespace stad
