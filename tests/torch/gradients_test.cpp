#include <gtest/gtest.h>

#include "torch/optimisation.hpp"
#include "torch/tiny_nets.hpp"

namespace stad::testing {
namespace {

using namespace backbone;

Tensors in_double(const Tensors& values) {
  Tensors result;
  for (const at::Tensor& value : values) result.push_back(value.to(at::kDouble));
  return result;
}

struct Loss {
  const char* name;
  at::Tensor (*of)(const at::Tensor& logits);
};

const Loss kLosses[] = {
    {"Entropy", [](const at::Tensor& logits) { return entropy(logits).mean(); }},
    {"Information", [](const at::Tensor& logits) { return information_loss(logits, 0.3, 0.4); }},
    {"LikelihoodRatio", [](const at::Tensor& logits) { return soft_likelihood_ratio(logits).mean(); }},
};

/// The error of central differences is of the order of the squared step; rounding in double precision is far smaller.
void expect_gradients_of(const std::string& file, const Loss& loss) {
  const auto network = open_net(file);
  TrainableWeights student(in_double(network->weights()), network->norm_parameters());
  const at::Tensor images = to_images(random_pixels(3, 6), kTinyImages).to(at::kDouble);
  const auto value = [&] { return loss.of(network->run(images, student.weights(), batch_statistics()).logits); };
  const auto gradients = student.gradients(value());
  ASSERT_TRUE(gradients) << gradients.error().message;

  constexpr double kStep = 1e-5;
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < student.trained().size(); ++i) {
    double* values = student.trained()[i].data_ptr<double>();
    for (Index j = 0; j < student.trained()[i].numel(); ++j) {
      const double middle = values[j];
      values[j] = middle + kStep;
      const double above = value().item<double>();
      values[j] = middle - kStep;
      const double below = value().item<double>();
      values[j] = middle;
      EXPECT_NEAR((*gradients)[i].data_ptr<double>()[j], (above - below) / (2 * kStep), 1e-7)
          << loss.name << " " << network->names()[student.indices()[i]] << "[" << j << "]";
    }
  }
}

TEST(Gradients, EqualFiniteDifferencesForEveryScaleAndShift) {
  for (const Loss& loss : kLosses)
    for (const std::string& file : {tiny_cnn(), layer_norm_net(), group_norm_net()}) expect_gradients_of(file, loss);
}

TEST(Gradients, AreAnErrorIfTheLossIsNotFinite) {
  const auto network = open_net(tiny_cnn());
  const TrainableWeights student(network->weights(), network->norm_parameters());
  const auto rejected = student.gradients(student.trained()[0].sum() * std::numeric_limits<double>::quiet_NaN());
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().message, "the loss is nan, must be finite");
}

TEST(Optimiser, TakesTheStepsOfItsFormulas) {
  const at::Tensor gradient = at::tensor({0.5, -2.0}, at::kDouble);
  const Tensors plain{at::tensor({1.0, 1.0}, at::kDouble)};
  Sgd sgd(plain, 0.1, 0.9);
  sgd.step(plain, {gradient});  // velocity g
  sgd.step(plain, {gradient});  // velocity 1.9 g
  EXPECT_NEAR(plain[0][0].item<double>(), 1 - 0.1 * 2.9 * 0.5, 1e-12);
  EXPECT_NEAR(plain[0][1].item<double>(), 1 + 0.1 * 2.9 * 2.0, 1e-12);

  const Tensors adapted{at::tensor({1.0, 1.0}, at::kDouble)};
  Adam adam(adapted, 0.1);
  for (int step = 0; step < 3; ++step) adam.step(adapted, {gradient});  // equal gradients: the rate each time
  EXPECT_NEAR(adapted[0][0].item<double>(), 1 - 0.3, 1e-6);
  EXPECT_NEAR(adapted[0][1].item<double>(), 1 + 0.3, 1e-6);
}

TEST(Losses, EqualTheirFormulas) {
  EXPECT_NEAR(information_loss(at::tensor({4.0, 0.0, 0.0, 4.0}, at::kDouble).reshape({2, 2}), 0, 0.9).item<double>(),
              entropy(at::tensor({4.0, 0.0}, at::kDouble).reshape({1, 2})).item<double>() - std::log(2.0), 1e-12);
  // p = (0.75, 0.25): -(0.75 ln 3 + 0.25 ln(1/3)), short of the 1e-5 inside the logarithm.
  const at::Tensor quarter = at::tensor({std::log(3.0), 0.0}, at::kDouble).reshape({1, 2});
  EXPECT_NEAR(soft_likelihood_ratio(quarter).item<double>(), -(0.5 * std::log(3.0)), 1e-4);
  EXPECT_NEAR(symmetric_cross_entropy(quarter, quarter).item<double>(), entropy(quarter).item<double>(), 1e-12);
}

TEST(Losses, NoConfidentSampleAddsNothing) {
  const at::Tensor unsure = at::zeros({3, 2}, at::kDouble);
  EXPECT_NEAR(information_loss(unsure, 1e6, 0.9).item<double>(), 0, 1e-12);  // ln 2 - ln 2
}

}  // namespace
}  // namespace stad::testing
