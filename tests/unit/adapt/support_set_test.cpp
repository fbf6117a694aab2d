#include "adapt/support_set.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::testing {
namespace {

constexpr Index kDimension = 5;

struct Support {
  double entropy;
  std::vector<float> direction;
};

/// Few different entropies, so that ties are the rule.
Support random_support(Random& random) {
  Support support{static_cast<double>(random.below(6)) / 4, {}};
  double squares = 0;
  for (Index i = 0; i < kDimension; ++i) {
    support.direction.push_back(static_cast<float>(random.normal()));
    squares += support.direction.back() * support.direction.back();
  }
  for (float& value : support.direction) value /= static_cast<float>(std::sqrt(squares));
  return support;
}

/// As the method says it: sort in, drop the last.
void add_plainly(const Support& support, Index capacity, std::vector<Support>& kept) {
  const auto place = std::upper_bound(kept.begin(), kept.end(), support.entropy,
                                      [](double entropy, const Support& other) { return entropy < other.entropy; });
  kept.insert(place, support);
  if (static_cast<Index>(kept.size()) > capacity) kept.pop_back();
}

void add_if_accepted(const Support& support, SupportSet& set) {
  if (set.accepts(support.entropy)) set.add(support.entropy, support.direction);
}

TEST(SupportSet, KeepsTheLowestEntropiesAndTheEarliestAmongEquals) {
  for (const Index capacity : {1, 2, 7, 30}) {
    Random random(static_cast<std::uint64_t>(capacity));
    SupportSet set(capacity, kDimension);
    std::vector<Support> expected;
    for (int i = 0; i < 200; ++i) {
      const Support support = random_support(random);
      add_plainly(support, capacity, expected);
      add_if_accepted(support, set);
      const auto found = set.sorted();
      ASSERT_EQ(found.entropies.size(), expected.size());
      for (std::size_t s = 0; s < expected.size(); ++s) {
        ASSERT_EQ(found.entropies[s], expected[s].entropy);
        const auto direction = row_of(found.directions, static_cast<Index>(s));
        ASSERT_TRUE(std::equal(direction.begin(), direction.end(), expected[s].direction.begin()));
      }
    }
  }
}

TEST(SupportSet, SumDependsOnWhatIsKeptAlone) {
  Random random(3);
  SupportSet followed(9, kDimension);
  double entropy = 1e6;
  for (int i = 0; i < 100'000; ++i) {
    Support support = random_support(random);
    support.entropy = entropy -= 1;  // every one takes another's place
    add_if_accepted(support, followed);
  }
  const auto kept = followed.sorted();
  SupportSet fresh(9, kDimension);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(kDimension);
  for (Index i = 0; i < kept.directions.rows(); ++i) {
    fresh.add(kept.entropies[i], row_of(kept.directions, i));
    sum += kept.directions.row(i).transpose().cast<double>();
  }
  EXPECT_TRUE(std::ranges::equal(followed.scaled_sum(), fresh.scaled_sum()));
  const Eigen::VectorXd scaled = as_array(followed.scaled_sum()).matrix().cast<double>();
  EXPECT_TRUE((scaled / scaled.norm()).isApprox(sum / sum.norm(), 1e-15));
}

TEST(SupportSet, SumOfAMillionEqualDirectionsDoesNotOverflow) {
  const std::vector<float> axis{0, -1, 0, 0, 0};
  SupportSet set(1'000'000, kDimension);
  for (int i = 0; i < 1'000'000; ++i) set.add(0, axis);
  EXPECT_LT(set.scaled_sum()[1], 0);
  EXPECT_EQ(set.scaled_sum()[0], 0);
}

}  // namespace
}  // namespace stad::testing
