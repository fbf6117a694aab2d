#include "torch/train.hpp"

#include <gtest/gtest.h>

#include <stad/threads.hpp>

#include "torch/tiny_nets.hpp"
#include "torch/torch_backbone.hpp"

namespace stad::testing {
namespace {

using namespace backbone;

/// Images with a mean above 0.5 belong to class 1.
ImageStream bcorrect_and_dark(std::uint64_t seed, Index count) {
  const ImageShape shape{1, 16, 16};
  FeatureStream pixels = FeatureStream::from(random_pixels(seed, count, shape));
  pixels.name = "images";
  for (Index row = 0; row < count; ++row) {
    double sum = 0;
    for (const float value : pixels.features.row(row)) sum += value;
    pixels.labels.push_back(sum / static_cast<double>(shape.size()) > 0.5);
  }
  return {shape, std::move(pixels)};
}

TEST(Train, LearnsASeparableTaskAndReturnsALoadableModel) {
  const ImageStream images = bcorrect_and_dark(1, 200);
  std::vector<Index> finished;
  const auto trained = train(images, {.epochs = 6, .batch_size = 20}, [&](const TrainingProgress& progress) {
    if (progress.finished) finished.push_back(progress.finished->epoch);
    return true;
  });
  ASSERT_TRUE(trained) << trained.error().message;
  EXPECT_EQ(finished, (std::vector<Index>{1, 2, 3, 4, 5, 6}));
  EXPECT_GT(trained->epochs[static_cast<std::size_t>(trained->best_epoch - 1)].validation_accuracy, 0.7);
  EXPECT_EQ(std::count(trained->trained_on.begin(), trained->trained_on.end(), true), 180);

  const auto network = TorchBackbone::open(std::as_bytes(std::span(trained->file)), "");
  ASSERT_TRUE(network) << network.error().message;
  EXPECT_EQ((*network)->info().head, "fc");
  EXPECT_EQ((*network)->info().batch_norms, 4);
  const ImageStream fresh = bcorrect_and_dark(2, 60);
  const auto adapter = *(*network)->make_adapter("source", fresh.shape);
  const auto answer = *adapter->adapt(fresh.pixels.features);
  Index correct = 0;
  for (std::size_t i = 0; i < 60; ++i) correct += answer.labels[i] == fresh.pixels.labels[i];
  EXPECT_GT(correct, 42);
}

TEST(Train, IsTheSameForTheSameSeedAndCanBeStopped) {
  const ImageStream images = bcorrect_and_dark(3, 60);
  const auto bytes = [&](std::uint64_t seed) {
    return train(images, {.epochs = 1, .batch_size = 20, .seed = seed}, {})->epochs.front().loss;
  };
  EXPECT_EQ(bytes(5), bytes(5));
  EXPECT_NE(bytes(5), bytes(6));
  const auto stopped = train(images, {.batch_size = 20}, [](const TrainingProgress& p) { return p.steps_done < 2; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "interrupted after 2 of 24 steps");
}

TEST(Train, RejectsInvalidSettingsAndImages) {
  const auto training_error = [](const ImageStream& images, const TrainingSettings& settings) {
    return train(images, settings, {}).error().message;
  };
  ImageStream images = bcorrect_and_dark(4, 30);
  EXPECT_EQ(training_error(images, {.epochs = 0}), "epochs is 0, must be at least 1");
  EXPECT_EQ(training_error(images, {.validation = 0.01}),
            "images: has 30 images, too few for a validation share of 0.01");
  images.pixels.labels.assign(30, 0);
  EXPECT_EQ(training_error(images, {}),
            "images: labels go from 0 to 0, must begin at 0 or above and end between 1 and 99999");
  images.pixels.labels.clear();
  EXPECT_EQ(training_error(images, {}), "images: has no labels, which training requires");
}

TEST(TorchBackbone, FeaturesDoNotDependOnTheNumberOfThreads) {
  const std::string file = tiny_cnn();
  const auto network = *TorchBackbone::open(std::as_bytes(std::span(file)), "");
  const Matrix pixels = random_pixels(1, 75);
  const Matrix alone = *network->features(pixels, kTinyImages);
  set_threads(3);
  EXPECT_EQ(*network->features(pixels, kTinyImages), alone);
  set_threads(1);
}

TEST(TorchBackbone, NamesTheImageShapeThatTheNetworkDoesNotTake) {
  const std::string file = tiny_cnn();
  const auto network = *TorchBackbone::open(std::as_bytes(std::span(file)), "");
  const auto made = network->make_adapter("bn", {3, 6, 6});
  ASSERT_FALSE(made);
  EXPECT_TRUE(
      made.error().message.starts_with("the network does not take images of 3 x 6 x 6 (channels x height x width): "))
      << made.error().message;
}

TEST(TorchBackbone, AcceptsAMeanForItsOwnHeadAndRejectsAnotherHead) {
  const std::string file = tiny_cnn();
  const auto network = *TorchBackbone::open(std::as_bytes(std::span(file)), "");
  const SourceModel& own = network->source();
  const auto with_mean = *SourceModel::create(own.weight(), {own.bias().begin(), own.bias().end()},
                                              std::vector<float>(static_cast<std::size_t>(own.dimension()), 0.5F));
  EXPECT_FALSE(network->make_adapter("stad-vmf", kTinyImages, {{"center", "source"}}));
  EXPECT_TRUE((*network->with_source(with_mean))->make_adapter("stad-vmf", kTinyImages, {{"center", "source"}}));
  Matrix other = own.weight();
  other(0, 0) += 1;
  EXPECT_EQ(network->with_source(*SourceModel::create(other)).error().message,
            "the head differs from the network's layer fc, must be the same");
}

}  // namespace
}  // namespace stad::testing
