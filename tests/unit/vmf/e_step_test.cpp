#include "vmf/e_step.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "math/bessel_ratio.hpp"
#include "math/unit_rows.hpp"
#include "support/random_stream.hpp"
#include "vmf/m_step.hpp"
#include "vmf/objective.hpp"

namespace stad::vmf {
namespace {

using testing::random_stream;

/// A window of four batches that has not been swept yet.
Window<double> fresh_window(std::uint64_t seed, bool with_past) {
  const auto stream = random_stream(seed, {.classes = 5, .dimension = 12, .batch_sizes = {20, 13, 1, 20}});
  Window<double> window;
  window.source = Prototypes<double>::at(unit_rows<double>(stream.weight).rows);
  for (const Matrix& batch : stream.batches) {
    Step<double> step;
    step.features = unit_rows<double>(batch).rows;
    step.prototypes = window.source;
    step.proportions.assign(5, 0.2);
    window.steps.push_back(std::move(step));
  }
  if (with_past) window.past = window.source;
  return window;
}

TEST(VmfEStep, NeverDecreasesTheObjective) {
  for (const bool with_past : {false, true})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      auto window = fresh_window(seed, with_past);
      const Params params(100, 60, 25, 5);
      sweep(window, params);  // the certain start values have no finite entropy
      for (auto& step : window.steps) step.responsibilities = assign(step, params);
      double before = objective(window, params);
      const auto expect_rise = [&](const char* what) {
        const double after = objective(window, params);
        EXPECT_GE(after, before - 1e-9 * std::abs(before)) << what << ", seed " << seed;
        before = after;
      };
      for (int round = 0; round < 6; ++round)
        for (std::size_t i = 0; i < window.steps.size(); ++i) {
          auto& step = window.steps[i];
          step.responsibilities = assign(step, params);
          expect_rise("assignments");
          const std::vector<double> initial(5, params.initial);
          const Message<double> oldest =
              with_past ? Message<double>{&*window.past, params.transition} : Message<double>{&window.source, initial};
          const Message<double> earlier =
              i == 0 ? oldest : Message<double>{&window.steps[i - 1].prototypes, params.transition};
          Message<double> later;
          if (i + 1 < window.steps.size()) later = {&window.steps[i + 1].prototypes, params.transition};
          update_prototypes(step, earlier, later, params);
          expect_rise("prototypes");
          update_proportions(step);
          expect_rise("proportions");
        }
    }
}

TEST(VmfEStep, OneClassOneStepIsTheConjugatePosterior) {
  // With a single class every responsibility is one, and vMF(kappa_0, mu_0) with vMF observations has the posterior
  // vMF with natural parameter kappa_0 mu_0 + kappa_ems sum h.
  const auto stream = random_stream(3, {.classes = 1, .dimension = 10, .batch_sizes = {30}});
  Window<double> window;
  window.source = Prototypes<double>::at(unit_rows<double>(stream.weight).rows);
  Step<double> step;
  step.features = unit_rows<double>(stream.batches[0]).rows;
  step.prototypes = window.source;
  step.proportions = {1.0};
  window.steps.push_back(step);
  sweep(window, Params(100, 50, 20, 1));

  const Eigen::VectorXd natural =
      100 * window.source.directions.row(0).transpose() + 20 * step.features.colwise().sum().transpose();
  const auto& found = window.newest().prototypes;
  EXPECT_NEAR(found.concentrations[0], natural.norm(), 1e-9);
  EXPECT_NEAR(found.lengths[0], bessel_ratio(10, natural.norm()), 1e-12);
  EXPECT_TRUE(found.directions.row(0).transpose().isApprox(natural.normalized(), 1e-12));
}

TEST(VmfEStep, AClassWithoutAnyEvidenceKeepsItsPrototype) {
  Step<double> step;
  step.features = DoubleRows(0, 4);
  step.prototypes = Prototypes<double>::at(DoubleRows::Identity(2, 4));
  step.proportions = {0.5, 0.5};
  const auto before = step.prototypes.directions;
  sweep_alone(step, Params(100, 100, 100, 2));
  EXPECT_EQ(step.prototypes.directions, before);
  EXPECT_EQ(step.prototypes.lengths, (std::vector<double>{1, 1}));
  EXPECT_EQ(step.proportions, (std::vector<double>{0.5, 0.5}));
}

TEST(VmfMStep, LearnsTheConcentrationOfTheSamples) {
  // Samples all equal to their prototype: mean length one, so the largest kappa; orthogonal ones: the least.
  Window<double> window;
  window.source = Prototypes<double>::at(DoubleRows::Identity(2, 4));
  Step<double> step;
  step.mass = {10, 0.5};
  step.agreements = {10, 0.25};
  step.prototypes = window.source;
  window.steps.push_back(step);
  const Params start(100, 100, 100, 2);
  const Params learned = learn_concentrations(window, start, LearnKappa::kClass);
  EXPECT_EQ(learned.emission[0], 1e6);
  EXPECT_EQ(learned.emission[1], 100) << "less than one sample's worth of evidence";
  EXPECT_EQ(learned.transition, start.transition) << "one step has no transitions";
  const Params shared = learn_concentrations(window, start, LearnKappa::kGlobal);
  EXPECT_EQ(shared.emission[0], shared.emission[1]);
}

}  // namespace
}  // namespace stad::vmf
