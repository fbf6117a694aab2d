// Steps of each method on cases small enough to compute by hand.

#include <cmath>
#include <numbers>

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include "torch/bn_adapter.hpp"
#include "torch/cmf_adapter.hpp"
#include "torch/cotta_adapter.hpp"
#include "torch/optimisation.hpp"
#include "torch/oracle_adapter.hpp"
#include "torch/rotta_adapter.hpp"
#include "torch/sar_adapter.hpp"
#include "torch/shot_adapter.hpp"
#include "torch/tent_adapter.hpp"
#include "torch/tiny_nets.hpp"

namespace stad::testing {
namespace {

using namespace backbone;

/// The values of a state's tensor.
std::vector<float> floats(const AdapterState& state, const std::string& name) {
  return std::get<std::vector<float>>(state.find(name)->values);
}
double number(const AdapterState& state, const std::string& name) {
  return std::get<std::vector<double>>(state.find(name)->values).front();
}
std::vector<float> source_values(const Network& network, const std::string& name) {
  for (std::size_t i = 0; i < network.names().size(); ++i)
    if (network.names()[i] == name) {
      const at::Tensor& values = network.weights()[i];
      return {values.data_ptr<float>(), values.data_ptr<float>() + values.numel()};
    }
  return {};
}

// --- bn

TEST(Bn, UsesTheStatisticsOfTheBatch) {
  const SourceNetwork source_network = source_network_of(tiny_cnn());
  BnAdapter bn(source_network, {});
  const Matrix pixels = random_pixels(1, 9);
  const auto answer = bn.adapt(pixels);
  ASSERT_TRUE(answer) << answer.error().message;
  const at::NoGradGuard no_grad;
  const at::Tensor expected =
      source_network.network->run(to_images(pixels, kTinyImages), source_network.network->weights(), batch_statistics())
          .logits.softmax(1);
  for (Index n = 0; n < 9; ++n)
    for (Index k = 0; k < kTinyClasses; ++k)
      EXPECT_NEAR(answer->probabilities(n, k), expected[n][k].item<double>(), 1e-6);
}

// --- tent

TEST(Tent, PredictsBeforeItTakesOneAdamStep) {
  const SourceNetwork source_network = source_network_of(tiny_cnn());
  TentAdapter tent(source_network, {.learning_rate = 0.01});
  BnAdapter bn(source_network, {});
  const Matrix pixels = random_pixels(2, 9);
  EXPECT_EQ(tent.adapt(pixels)->probabilities, bn.adapt(pixels)->probabilities);
  // The first step of Adam has the size of the learning rate.
  const auto before = source_values(*source_network.network, "bn1.weight"),
             after = floats(tent.state(), "student.bn1.weight");
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(std::abs(after[i] - before[i]), 0.01, 1e-4);
  EXPECT_NE(tent.adapt(pixels)->probabilities, bn.adapt(pixels)->probabilities);
}

TEST(Tent, LowersTheEntropyOfARepeatedBatch) {
  TentAdapter tent(source_network_of(layer_norm_net()), {.learning_rate = 0.01});
  const Matrix pixels = random_pixels(3, 16);
  const auto mean_entropy = [&] {
    double sum = 0;
    const auto answer = *tent.adapt(pixels);
    for (Index n = 0; n < 16; ++n)
      for (const float p : answer.probabilities.row(n)) sum -= p > 0 ? p * std::log(p) : 0;
    return sum;
  };
  const double first = mean_entropy();
  for (int step = 0; step < 20; ++step) ASSERT_TRUE(tent.adapt(pixels));
  EXPECT_LT(mean_entropy(), first);
}

// --- shot

TEST(Shot, DoesNotChangeTheClassifier) {
  const SourceNetwork source_network = source_network_of(tiny_cnn());
  ShotAdapter shot(source_network, {.learning_rate = 0.1});
  ASSERT_TRUE(shot.adapt(random_pixels(4, 9)));
  EXPECT_EQ(shot.prototypes(), source_network.source.weight());
  EXPECT_EQ(shot.state().find("student.fc.weight"), nullptr);
  EXPECT_NE(floats(shot.state(), "student.conv1.weight"), source_values(*source_network.network, "conv1.weight"));
}

// --- sar

TEST(Sar, PerturbsByItsRadius) {
  const Tensors values{at::zeros({2}), at::zeros({1})};
  perturb_along_gradient(values, {at::tensor({3.0F, 0.0F}), at::tensor({4.0F})}, 0.5);  // |g| = 5
  EXPECT_NEAR(values[0][0].item<double>(), 0.3, 1e-6);
  EXPECT_NEAR(values[0][1].item<double>(), 0, 1e-6);
  EXPECT_NEAR(values[1][0].item<double>(), 0.4, 1e-6);
}

TEST(Sar, AppliesTheGradientOfThePerturbedWeightsToTheUnperturbedOnes) {
  const SourceNetwork source_network = source_network_of(tiny_cnn());
  const SarOptions options{.learning_rate = 0.1, .reliable = 1, .reset_below = 0};
  SarAdapter sar(source_network, options);
  const Matrix pixels = random_pixels(5, 9);
  const at::Tensor images = to_images(pixels, kTinyImages);
  ASSERT_TRUE(sar.adapt(pixels));

  TrainableWeights student(source_network.network->weights(),
                           source_network.network->norm_parameters_before_last_block());
  const auto loss = [&] {
    return entropy(source_network.network->run(images, student.weights(), batch_statistics()).logits).mean();
  };
  const Tensors here = clones(student.trained());
  perturb_along_gradient(student.trained(), *student.gradients(loss()), options.rho);
  const Tensors gradients = *student.gradients(loss());
  const auto after = floats(sar.state(), "student.bn1.weight");
  for (std::size_t i = 0; i < after.size(); ++i)
    EXPECT_NEAR(after[i], (here[0][i] - 0.1 * gradients[0][i]).item<double>(), 1e-6);
  EXPECT_NEAR(number(sar.state(), "moving_loss"), loss().item<double>(), 1e-6);
}

TEST(Sar, UsesReliableSamplesOnly) {
  const SourceNetwork source_network = source_network_of(tiny_cnn());
  SarAdapter none(source_network, {.learning_rate = 0.1, .reliable = 0});
  const AdapterState before = none.state();
  ASSERT_TRUE(none.adapt(random_pixels(6, 9)));
  EXPECT_EQ(floats(none.state(), "student.bn1.weight"), floats(before, "student.bn1.weight"));
  EXPECT_EQ(number(none.state(), "moving_loss"), -1);  // no loss was computed
}

TEST(Sar, ResetsWeightsAndMovingLossIfTheLossIsTooLow) {
  const SourceNetwork source_network = source_network_of(tiny_cnn());
  SarAdapter sar(source_network, {.learning_rate = 0.1, .reliable = 1, .reset_below = 100});
  ASSERT_TRUE(sar.adapt(random_pixels(7, 9)));
  EXPECT_EQ(floats(sar.state(), "student.bn1.weight"), source_values(*source_network.network, "bn1.weight"));
  EXPECT_EQ(number(sar.state(), "moving_loss"), -1);
  for (const float velocity : floats(sar.state(), "velocity.bn1.weight")) EXPECT_EQ(velocity, 0);
}

// --- cotta

TEST(Cotta, RestoresWeightsAtItsRate) {
  const Tensors values{at::ones({200, 500})};
  stochastic_restore(values, {at::zeros({200, 500})}, 0.01, at::make_generator<at::CPUGeneratorImpl>(1));
  // 100,000 draws at 0.01: deviation 31.5 about 1,000.
  EXPECT_NEAR((values[0] == 0).sum().item<double>(), 1000, 160);
}

TEST(Cotta, UpdatesTheTeacherBeforeItRestores) {
  const SourceNetwork source_network = source_network_of(tiny_cnn());
  CottaAdapter cotta(source_network,
                     {.learning_rate = 0.01, .augmentations = 2, .teacher_momentum = 0.9, .restore = 1});
  ASSERT_TRUE(cotta.adapt(random_pixels(8, 9)));
  const auto source = source_values(*source_network.network, "conv1.weight");
  EXPECT_EQ(floats(cotta.state(), "student.conv1.weight"), source);  // every weight was restored
  const auto teacher = floats(cotta.state(), "teacher.conv1.weight");
  for (std::size_t i = 0; i < source.size(); ++i) EXPECT_NEAR(std::abs(teacher[i] - source[i]), 0.1 * 0.01, 1e-5);
}

TEST(Cotta, DoesNotAugmentIfTheSourceIsConfident) {
  const SourceNetwork source_network = source_network_of(tiny_cnn());
  CottaAdapter sure(source_network, {.confidence = 0});
  CottaAdapter unsure(source_network, {.augmentations = 3, .confidence = 1});
  BnAdapter bn(source_network, {});
  const Matrix pixels = random_pixels(9, 9);
  const auto plain = bn.adapt(pixels)->probabilities;
  EXPECT_EQ(sure.adapt(pixels)->probabilities, plain);
  EXPECT_NE(unsure.adapt(pixels)->probabilities, plain);
}

// --- rotta

const ImageShape kPoint{1, 1, 1};
at::Tensor point(float value) { return at::full({1, 1, 1}, value); }

/// Values of the stored images.
std::vector<float> held(const RottaMemory& memory) {
  const at::Tensor images = memory.images().contiguous();
  return {images.data_ptr<float>(), images.data_ptr<float>() + images.numel()};
}

TEST(RottaMemory, FillsItsSlotsAndThenKeepsTheShareOfEachClass) {
  RottaMemory memory(4, 2, kPoint, 1, 1);
  memory.insert(point(1), 0, 0.1);
  memory.insert(point(2), 0, 0.2);
  EXPECT_EQ(memory.count(0), 2);
  // The class has its two samples: the new sample's score 0.5 + 0.6/ln 2 exceeds both (ages 2 and 1 of 4 add little).
  memory.insert(point(3), 0, 0.6);
  EXPECT_EQ(held(memory), (std::vector<float>{1, 2}));
  // A confident sample replaces the worst of its class: sample 2, whose entropy outweighs the age of sample 1.
  memory.insert(point(4), 0, 0.0);
  EXPECT_EQ(held(memory), (std::vector<float>{1, 4}));
  memory.insert(point(5), 1, 0.0);
  memory.insert(point(6), 1, 0.0);
  EXPECT_EQ(memory.size(), 4);
  EXPECT_EQ(memory.count(1), 2);
}

TEST(RottaMemory, ANewClassReplacesASampleOfTheMajority) {
  RottaMemory memory(3, 3, kPoint, 1, 1);  // one slot for each class
  memory.insert(point(1), 0, 0.5);
  memory.insert(point(2), 1, 0.1);
  memory.insert(point(3), 2, 0.1);
  EXPECT_EQ(memory.size(), 3);
  memory.insert(point(4), 0, 0.0);  // its class is full: it replaces the sample with higher entropy
  EXPECT_EQ(held(memory), (std::vector<float>{4, 2, 3}));
}

TEST(RottaMemory, ScoresAgeAndEntropy) {
  const RottaMemory memory(64, 2, kPoint, 1, 2);
  EXPECT_NEAR(memory.score(0, 0), 0.5, 1e-12);
  EXPECT_NEAR(memory.score(64, 0), 1 / (1 + std::exp(-1)), 1e-12);
  EXPECT_NEAR(memory.score(0, std::numbers::ln2), 0.5 + 2, 1e-12);
}

TEST(RottaMemory, AgesGrowWithEverySampleWhetherItIsStoredOrNot) {
  RottaMemory memory(2, 2, kPoint, 1, 1);
  memory.insert(point(1), 0, 0.0);
  EXPECT_NEAR(memory.ages()[0].item<double>(), 0.5, 1e-6);  // one arrival of a capacity of two
  memory.insert(point(2), 0, 0.69);                         // not stored: higher entropy than the stored sample
  EXPECT_EQ(held(memory), std::vector<float>{1});
  EXPECT_NEAR(memory.ages()[0].item<double>(), 1, 1e-6);
}

// --- cmf

TEST(Cmf, FiltersByTheGainsOfItsFormulas) {
  // P = 0: P' = q; beta = (1 - q) / (q + 1 - q) = 1 - q; P = beta q.
  const FilterGain first = filter_gain(0, 0.99, 0.005);
  EXPECT_NEAR(first.keep, 0.995, 1e-12);
  EXPECT_NEAR(first.variance, 0.995 * 0.005, 1e-12);
  const double predicted = 0.99 * 0.99 * first.variance + 0.005;
  const FilterGain second = filter_gain(first.variance, 0.99, 0.005);
  EXPECT_NEAR(second.keep, 0.995 / (predicted + 0.995), 1e-12);
  EXPECT_NEAR(second.variance, second.keep * predicted, 1e-12);
  EXPECT_EQ(filter_gain(10, 0.99, 0.5).keep, 0.89);  // never below
}

TEST(Cmf, WeighsDiverseAndConfidentSamplesAndMasksTheOthers) {
  // Predictions (0.9, 0.1), (0.5, 0.5), (0.1, 0.9) beside a mean prediction of (1, 0).
  const at::Tensor logits = at::tensor({0.9, 0.1, 0.5, 0.5, 0.1, 0.9}, at::kDouble).reshape({3, 2}).log();
  const at::Tensor weights = sample_weights(logits, at::tensor({1.0, 0.0}, at::kDouble));
  const auto distance = [](double a, double b) { return 1 - a / std::hypot(a, b); };
  const double near = distance(0.9, 0.1), middle = distance(0.5, 0.5), far = distance(0.1, 0.9);
  EXPECT_LT((middle - near) / (far - near), (0 + (middle - near) / (far - near) + 1) / 3);  // below the mean diversity
  EXPECT_EQ(weights[0].item<double>(), 0);
  EXPECT_EQ(weights[1].item<double>(), 0);
  EXPECT_NEAR(weights[2].item<double>(), std::exp(3), 1e-9);  // both scores at their most
}

TEST(Cmf, ABatchOfOneOrOfEqualSamplesHasFullWeight) {
  const at::Tensor mean = at::tensor({0.5, 0.5}, at::kDouble);
  EXPECT_NEAR(sample_weights(at::tensor({1.0, 0.0}, at::kDouble).reshape({1, 2}), mean).item<double>(), std::exp(3),
              1e-9);
  EXPECT_TRUE(at::isfinite(sample_weights(at::zeros({4, 2}, at::kDouble), mean)).all().item<bool>());
}

TEST(Cmf, CorrectsByTheSmoothedPrior) {
  const at::Tensor logits = at::tensor({0.8, 0.2, 0.6, 0.4}, at::kDouble).reshape({2, 2}).log();
  // Prior (0.7, 0.3); smoothing max(1/2, 1/2) / 0.7.
  const double smooth = 0.5 / 0.7;
  const at::Tensor corrected = correct_prior(logits);
  EXPECT_NEAR(corrected[0][0].item<double>(), std::log(0.8) * (0.7 + smooth) / (1 + 2 * smooth), 1e-12);
  EXPECT_NEAR(corrected[1][1].item<double>(), std::log(0.4) * (0.3 + smooth) / (1 + 2 * smooth), 1e-12);
}

// --- oracle

TEST(Oracle, LearnsFromEachTimeStepOnceAndOnlyFromItsOwnRows) {
  const SourceNetwork source_network = source_network_of(tiny_cnn());
  FeatureStream labelled = FeatureStream::from(random_pixels(10, 12));
  labelled.labels = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
  labelled.time = {1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2};
  OracleAdapter oracle(source_network, {.learning_rate = 0.01, .batch_size = 4}, labelled);
  const Matrix pixels = random_pixels(11, 5);
  ASSERT_TRUE(oracle.adapt(Batch(pixels, 1)));
  const auto after_first = floats(oracle.state(), "weights.fc.weight");
  EXPECT_NE(after_first, source_values(*source_network.network, "fc.weight"));
  ASSERT_TRUE(oracle.adapt(Batch(pixels, 1)));
  EXPECT_EQ(floats(oracle.state(), "weights.fc.weight"), after_first);
  ASSERT_TRUE(oracle.adapt(Batch(pixels, 7)));  // no labels of that time
  EXPECT_EQ(floats(oracle.state(), "weights.fc.weight"), after_first);
  ASSERT_TRUE(oracle.adapt(Batch(pixels, 2)));
  EXPECT_NE(floats(oracle.state(), "weights.fc.weight"), after_first);
}

TEST(Oracle, SavesTimesInNanoseconds) {
  FeatureStream labelled = FeatureStream::from(random_pixels(10, 3));
  labelled.labels = {0, 1, 2};
  labelled.time = {1.8e18, 1.8e18, 1.8e18};
  const SourceNetwork source_network = source_network_of(tiny_cnn());
  OracleAdapter oracle(source_network, {}, labelled), resumed(source_network, {}, labelled);
  ASSERT_TRUE(oracle.adapt(Batch(random_pixels(11, 5), 1.8e18)));
  const auto restored = resumed.restore(oracle.state());
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(resumed.state(), oracle.state());
}

}  // namespace
}  // namespace stad::testing
