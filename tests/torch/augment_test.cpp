#include "torch/augment.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include "torch/tiny_nets.hpp"

namespace stad::testing {
namespace {

using namespace backbone;

at::Tensor view_of(const at::Tensor& images, std::uint64_t seed) {
  return augment(images, at::make_generator<at::CPUGeneratorImpl>(seed));
}

TEST(Augment, KeepsShapeAndRangeAndDoesNotChangeItsInput) {
  for (const Index channels : {1, 3, 4}) {
    const at::Tensor images = at::rand({5, channels, 16, 12}, at::make_generator<at::CPUGeneratorImpl>(1), at::kFloat);
    const at::Tensor before = images.clone();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const at::Tensor view = view_of(images, seed);
      EXPECT_EQ(view.sizes(), images.sizes());
      EXPECT_GE(view.min().item<double>(), 0);
      EXPECT_LE(view.max().item<double>(), 1);
    }
    EXPECT_TRUE(at::equal(images, before));
  }
}

TEST(Augment, IsDeterminedByTheGenerator) {
  const at::Tensor images = at::rand({2, 3, 8, 8}, at::make_generator<at::CPUGeneratorImpl>(2), at::kFloat);
  EXPECT_TRUE(at::equal(view_of(images, 7), view_of(images, 7)));
  EXPECT_FALSE(at::equal(view_of(images, 7), view_of(images, 8)));
}

TEST(Augment, KeepsGreyImagesGrey) {
  const at::Tensor grey =
      at::rand({2, 1, 8, 8}, at::make_generator<at::CPUGeneratorImpl>(3), at::kFloat).expand({2, 3, 8, 8});
  const at::Tensor view = view_of(grey, 4);
  // Only noise, of deviation 0.005, makes the channels differ.
  EXPECT_LT((view.select(1, 0) - view.select(1, 1)).abs().max().item<double>(), 0.05);
}

}  // namespace
}  // namespace stad::testing
