#include "torch/normaliser.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "torch/tiny_nets.hpp"

namespace stad::testing {
namespace {

using namespace backbone;

// Two images of 2 x 2 pixels; the network returns the mean of each row of normalised pixels.
// Batch mean 2.75, biased variance (sum of squares 8 + 34.25 ...) computed below by hand; source mean 1, variance 4.
const ImageShape kShape{1, 2, 2};
const float kPixels[] = {1, 2, 3, 4, 5, 0, 2, 5};

at::Tensor images() { return to_images(MatrixView(kPixels, 2, 4), kShape); }

struct ByHand {
  double mean, variance;

  double at(int row, int image) const {
    const float* pair = kPixels + 4 * image + 2 * row;
    const auto normal = [&](double x) { return 2 * (x - mean) / std::sqrt(variance) + 0.5; };
    return (normal(pair[0]) + normal(pair[1])) / 2;
  }
};

ByHand batch() {
  double sum = 0, square = 0;
  for (const float x : kPixels) sum += x, square += x * x;
  return {sum / 8, square / 8 - sum / 8 * sum / 8};
}

void expect_normalised(const at::Tensor& logits, const ByHand& expected) {
  for (int image = 0; image < 2; ++image)
    for (int row = 0; row < 2; ++row)
      EXPECT_NEAR(logits[image][row].item<double>(), expected.at(row, image), 1e-5) << image << " " << row;
}

TEST(Normaliser, UsesTheStatisticsOfItsName) {
  const auto network = open_net(pixel_norm_net());
  const auto logits = [&](const NormaliserPointer& normaliser) {
    return network->run(images(), network->weights(), normaliser).logits;
  };
  expect_normalised(logits(source_statistics()), {1, 4});
  expect_normalised(logits(batch_statistics()), batch());
  const auto blended = c10::make_intrusive<MovingStatistics>(network->source_statistics(), 1.0, 0.25, true);
  expect_normalised(logits(blended), {0.75 * batch().mean + 0.25 * 1, 0.75 * batch().variance + 0.25 * 4});
}

TEST(Normaliser, UpdatesItsAverageOnlyIfRequested) {
  const auto network = open_net(pixel_norm_net());
  const auto run = [&](const NormaliserPointer& normaliser) {
    return network->run(images(), network->weights(), normaliser).logits;
  };
  const auto learning = c10::make_intrusive<MovingStatistics>(network->source_statistics(), 0.1, 0.0, true);
  const ByHand once{0.9 * 1 + 0.1 * batch().mean, 0.9 * 4 + 0.1 * batch().variance};
  expect_normalised(run(learning), once);
  expect_normalised(run(learning),
                    {0.9 * once.mean + 0.1 * batch().mean, 0.9 * once.variance + 0.1 * batch().variance});
  const auto still = c10::make_intrusive<MovingStatistics>(network->source_statistics(), 0.1, 0.0, false);
  expect_normalised(run(still), {1, 4});
  expect_normalised(run(still), {1, 4});
  expect_normalised(run(source_statistics()), {1, 4});  // the network's own statistics are unchanged
}

}  // namespace
}  // namespace stad::testing
