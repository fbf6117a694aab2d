#include "vmf/sweep.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "math/bessel_ratio.hpp"
#include "math/unit_rows.hpp"
#include "support/random_stream.hpp"
#include "vmf/m_step.hpp"
#include "vmf/objective.hpp"
#include "vmf/window.hpp"

namespace stad::vmf {
namespace {

using testing::random_stream;

VmfWindow<double> empty_window(const Matrix& weight, Index capacity) {
  VmfWindow<double> window;
  window.capacity = capacity;
  window.keeps_all = true;
  window.source = unit_rows<double>(weight).rows;
  window.storage.assign(static_cast<std::size_t>(weight.rows()), ClassStorage::kActive);
  window.idle.assign(static_cast<std::size_t>(weight.rows()), 0);
  return window;
}

void add(VmfWindow<double>& window, DoubleRows features) {
  push_step(window).features = std::move(features);
  initialise_newest(window);
}

TEST(VmfSweep, NeverDecreasesTheObjective) {
  for (const bool with_past : {false, true})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const auto stream = random_stream(seed, {.classes = 5, .dimension = 12, .batch_sizes = {20, 13, 1, 20, 7}});
      const VmfParams params(100, 60, 25, 5);
      auto window = empty_window(stream.weight, with_past ? 4 : 5);
      for (const Matrix& batch : stream.batches) {
        add(window, unit_rows<double>(batch).rows);
        sweep(window, params, {.first = true, .last = &batch != &stream.batches.back()});
      }
      ASSERT_EQ(window.has_past(), with_past);
      double before = objective(window, params);
      for (int round = 0; round < 8; ++round) {
        sweep(window, params, {.first = false, .last = false});
        const double after = objective(window, params);
        EXPECT_GE(after, before - 1e-9 * std::abs(before)) << "round " << round << ", seed " << seed;
        before = after;
      }
    }
}

TEST(VmfSweep, OneClassOneStepIsTheConjugatePosterior) {
  // With a single class every responsibility is one, and vMF(kappa_0, mu_0) with vMF observations has the posterior
  // vMF with natural parameter kappa_0 mu_0 + kappa_ems sum h.
  const auto stream = random_stream(3, {.classes = 1, .dimension = 10, .batch_sizes = {30}});
  auto window = empty_window(stream.weight, 4);
  add(window, unit_rows<double>(stream.batches[0]).rows);
  sweep(window, VmfParams(100, 50, 20, 1), {});

  const Eigen::VectorXd natural =
      100 * window.source.row(0).transpose() + 20 * window.newest().features.colwise().sum().transpose();
  EXPECT_NEAR(window.newest().lengths[0], bessel_ratio(10, natural.norm()), 1e-12);
  EXPECT_TRUE(newest_prototypes(window).row(0).transpose().isApprox(natural.normalized(), 1e-12));
}

TEST(VmfSweep, AClassWithoutAnyEvidenceKeepsItsPrototype) {
  Matrix weight(2, 4);
  weight(0, 0) = weight(1, 1) = 1;
  auto window = empty_window(weight, 1);
  window.linked = false;
  add(window, DoubleRows(0, 4));
  sweep(window, VmfParams(100, 100, 100, 2), {});
  EXPECT_EQ(newest_prototypes(window), window.source);
  EXPECT_EQ(window.newest().lengths, (std::vector<double>{1, 1}));
  EXPECT_EQ(window.newest().proportions, (std::vector<double>{0.5, 0.5}));
}

TEST(VmfMStep, LearnsTheConcentrationOfTheSamples) {
  // Samples all equal to their prototype: mean length one, so the largest kappa; orthogonal ones: the least.
  Matrix weight(2, 4);
  weight(0, 0) = weight(1, 1) = 1;
  auto window = empty_window(weight, 4);
  VmfStep<double> step;
  step.mass = {10, 0.5};
  step.agreements = {10, 0.25};
  step.lengths = {1, 1};
  window.steps.push_back(step);
  const VmfParams start(100, 100, 100, 2);
  VmfParams learned = start;
  learn_concentrations(window, LearnKappa::kClass, learned);
  EXPECT_EQ(learned.emission[0], 1e6);
  EXPECT_EQ(learned.emission[1], 100) << "less than one sample's worth of evidence";
  EXPECT_EQ(learned.transition, start.transition) << "one step has no transitions";
  VmfParams shared = start;
  learn_concentrations(window, LearnKappa::kGlobal, shared);
  EXPECT_EQ(shared.emission[0], shared.emission[1]);
}

}  // namespace
}  // namespace stad::vmf
