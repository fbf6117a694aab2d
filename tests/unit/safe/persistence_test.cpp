#include "safe/persistence.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::safe {
namespace {

Index any_class(Random& random, Index classes) {
  return static_cast<Index>(random.below(static_cast<std::uint64_t>(classes)));
}

/// Classes in runs, of which the classifier sees each row right with the chance it says it does.
double share_of_runs(std::uint64_t seed, Index classes, Index run, Index rows, double accuracy) {
  Random random(seed);
  Persistence persistence(classes);
  Index truth = 0;
  for (Index n = 0; n < rows; ++n) {
    if (n % run == 0) truth = any_class(random, classes);
    const bool right = random.uniform() < accuracy;
    const Index other = (truth + 1 + any_class(random, classes - 1)) % classes;
    persistence.observe(right ? truth : other, accuracy);
  }
  return persistence.share();
}

TEST(Persistence, IsAboutZeroWhereLabelsAreIndependent) {
  for (const Index classes : {2, 5, 100})
    for (const double accuracy : {0.9, 1.0})
      // Rates are known to 0.011, and of two classes seen with 0.9 the range they are measured by is 0.32.
      for (std::uint64_t seed = 0; seed < 5; ++seed)
        EXPECT_NEAR(share_of_runs(seed, classes, 1, 3000, accuracy), 0, 0.12) << classes << " " << accuracy;
}

TEST(Persistence, IsNearOneWhereClassesComeInRuns) {
  for (const Index classes : {2, 5, 100})
    for (std::uint64_t seed = 0; seed < 5; ++seed)
      EXPECT_NEAR(share_of_runs(seed, classes, 50, 3000, 1.0), 1, 0.05) << classes;
}

TEST(Persistence, AllowsForTheMistakesOfTheClassifier) {
  // Two neighbours get one label in 0.7^2 + 0.3^2 / 4 of the rows only, half of what they would without mistakes. Rates
  // are known to 0.011 within a range of 0.3, and few runs do not come to every class equally often.
  for (std::uint64_t seed = 0; seed < 5; ++seed) EXPECT_NEAR(share_of_runs(seed, 5, 50, 3000, 0.7), 1, 0.2);
}

TEST(Persistence, IsZeroBeforeThereAreTwoPairs) {
  Persistence persistence(3);
  EXPECT_EQ(persistence.share(), 0);
  for (int n = 0; n < 2; ++n) {
    persistence.observe(1, 1);
    EXPECT_EQ(persistence.share(), 0);
  }
}

TEST(Persistence, DoesNotTakeTheFirstRunForAStreamOfOneClass) {
  EXPECT_NEAR(share_of_runs(1, 2, 200, 200, 1.0), 1, 0.01);
  EXPECT_NEAR(share_of_runs(1, 10, 200, 200, 1.0), 1, 0.01);
}

TEST(Persistence, IsLessSureTheLongerOneClassComesAlone) {
  EXPECT_LT(share_of_runs(1, 2, 10'000, 10'000, 1.0), 0.5);
  EXPECT_LT(share_of_runs(1, 10, 10'000, 10'000, 1.0), 0.9);
}

}  // namespace
}  // namespace stad::safe
