#include "vmf/compressed_classes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <stad/methods.hpp>

#include "math/unit_rows.hpp"
#include "support/agreement.hpp"
#include "support/random_stream.hpp"
#include "vmf/window.hpp"

namespace stad::vmf {
namespace {

using testing::random_stream;

TEST(CompressionCosts, RestingPaysAfterAFewBatchesAndSoonerTheWiderTheWindow) {
  const auto patience = [](Index samples, Index dimension, Index steps) {
    return CompressionCosts(samples, dimension, steps).patience();
  };
  for (const Index samples : {1, 8, 64, 1000})
    for (const Index dimension : {32, 512, 4096}) {
      EXPECT_GE(patience(samples, dimension, 4), 1);
      EXPECT_LE(patience(samples, dimension, 4), 4);
      EXPECT_LE(patience(samples, dimension, 8), patience(samples, dimension, 3));
    }
}

TEST(CompressionCosts, AClassTriesAtTheEndOfItsPatienceAndThenEverLessOften) {
  std::vector<Index> trials;
  for (Index idle = 0; idle < 100; ++idle)
    if (CompressionCosts::should_try(idle, 3)) trials.push_back(idle);
  EXPECT_EQ(trials, (std::vector<Index>{3, 6, 12, 24, 48, 96}));
  EXPECT_FALSE(CompressionCosts::should_try(1'000'000, std::numeric_limits<Index>::max()));
}

TEST(CompressionCosts, RestingNeverPaysWhereAClassMovesByTwoProductsAnyway) {
  // One step a window: an active class takes one product a batch, a compressed one two.
  EXPECT_EQ(CompressionCosts(1000, 64, 1).patience(), std::numeric_limits<Index>::max());
  const CompressionCosts wide(1000, 64, 4);
  EXPECT_LT(wide.compressed, wide.active);
}

/// A window of its own, in which idle classes are compressed or not.
struct Tracker {
  VmfWindow<float> window;
  VmfParams params;

  Tracker(const Matrix& weight, bool compresses, bool previous) : params(100, 1000, 100, weight.rows()) {
    window.capacity = 4;
    window.from_source = !previous;
    window.compresses = compresses;
    window.negligible = previous ? 1e-30 : 1e-12;
    window.source = unit_rows<float>(weight).rows;
    window.storage.assign(static_cast<std::size_t>(weight.rows()),
                          compresses ? ClassStorage::kAtSource : ClassStorage::kActive);
    window.idle.assign(static_cast<std::size_t>(weight.rows()), 0);
  }

  void adapt(const Matrix& batch) {
    push_step(window).features = unit_rows<float>(batch).rows;
    initialise_newest(window);
    sweep(window, params, {});
  }

  Index count(ClassStorage storage) const { return std::count(window.storage.begin(), window.storage.end(), storage); }
};

/// Every class for a while, then two of them alone, then every class again.
std::vector<Matrix> visits(const Matrix& weight, int length) {
  Random random(9);
  std::vector<Matrix> batches;
  for (int t = 0; t < 3 * length; ++t) {
    Matrix batch(4, weight.cols());
    for (Index n = 0; n < batch.rows(); ++n) {
      const bool all = t < length || t >= 2 * length;
      const auto k = static_cast<Index>(random.uniform() * static_cast<double>(all ? weight.rows() : 2));
      for (Index d = 0; d < weight.cols(); ++d)
        batch(n, d) = weight(k, d) + static_cast<float>(0.4 * random.normal() / std::sqrt(weight.cols()));
    }
    batches.push_back(std::move(batch));
  }
  return batches;
}

class Resting : public ::testing::TestWithParam<bool> {};

TEST_P(Resting, MovesPrototypesAsWakingDoes) {
  const auto stream = random_stream(21, {.classes = 12, .dimension = 300, .batch_sizes = {1}});
  Matrix weight = stream.weight;
  as_eigen(weight).rowwise().normalize();
  Tracker compressed(weight, true, GetParam());
  Tracker active(weight, false, GetParam());
  std::vector<Index> resting_classes;
  for (const Matrix& batch : visits(weight, 40)) {
    compressed.adapt(batch);
    active.adapt(batch);
    resting_classes.push_back(12 - compressed.count(ClassStorage::kActive));
    const auto difference =
        (newest_prototypes(compressed.window) - newest_prototypes(active.window)).cwiseAbs().maxCoeff();
    ASSERT_LT(difference, 2e-6F);
    ASSERT_LT((compressed.window.newest().cosines - active.window.newest().cosines).cwiseAbs().maxCoeff(), 2e-6F);
  }
  EXPECT_LE(resting_classes[35], 6) << "every class is seen now and then";
  // Ten classes have had no samples for more than thirty batches. Without mu_0 in every batch less falls into a plane.
  EXPECT_GE(resting_classes[75], GetParam() ? 4 : 8);
  EXPECT_LE(resting_classes[115], 6) << "every class is seen again";
  EXPECT_EQ(active.count(ClassStorage::kActive), 12);
}

INSTANTIATE_TEST_SUITE_P(Init, Resting, ::testing::Values(false, true),
                         [](const auto& param) { return param.param ? "Previous" : "Source"; });

TEST(Resting, AClassThatWasNeverSeenStaysAtItsSource) {
  const auto stream = random_stream(22, {.classes = 6, .dimension = 64, .batch_sizes = {1}});
  Tracker tracker(stream.weight, true, false);
  Matrix batch(3, 64);
  for (Index n = 0; n < 3; ++n) std::copy_n(stream.weight.row(0).begin(), 64, batch.row(n).begin());
  for (int t = 0; t < 10; ++t) tracker.adapt(batch);
  EXPECT_EQ(tracker.window.storage[0], ClassStorage::kActive);
  EXPECT_GE(tracker.count(ClassStorage::kAtSource), 1);
  const auto prototypes = newest_prototypes(tracker.window);
  for (Index k = 0; k < 6; ++k) {
    if (tracker.window.storage[k] != ClassStorage::kAtSource) continue;
    EXPECT_LT((prototypes.row(k) - tracker.window.source.row(k)).cwiseAbs().maxCoeff(), 1e-7F);
  }
}

}  // namespace
}  // namespace stad::vmf
