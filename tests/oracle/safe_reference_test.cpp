// stad-safe and the methods that run beside it against their reference implementations in double.

#include <gtest/gtest.h>

#include <stad/eval/simulate.hpp>
#include <stad/methods.hpp>

#include "base/random.hpp"
#include "reference/guarded_base.hpp"
#include "support/agreement.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

/// Features around fixed class centres, with labels that stay with a probability, and a card from rows like them.
struct PersistentStream {
  SourceModel source;
  Matrix features;
  std::vector<double> time;  ///< changes every 300 rows
};

struct PersistentShape {
  Index classes = 4;
  Index dimension = 16;
  Index rows = 1500;
  double stay = 0.9;
  double noise = 1.2;  ///< total standard deviation around a centre of length one
  bool card = true;
};

PersistentStream persistent_stream(std::uint64_t seed, const PersistentShape& shape) {
  constexpr Index kCardRows = 300;
  const RandomStream drawn = random_stream(seed, {.classes = shape.classes,
                                                  .dimension = shape.dimension,
                                                  .batch_sizes = {kCardRows, shape.rows},
                                                  .noise = shape.noise,
                                                  .drift = 0});
  // Rows of the second batch in the order of a chain of labels: each takes the next row of its class.
  std::vector<std::vector<Index>> by_class(static_cast<std::size_t>(shape.classes));
  for (Index n = 0; n < shape.rows; ++n) by_class[static_cast<std::size_t>(drawn.labels[1][n])].push_back(n);
  Random random(seed + 1000);
  std::vector<Index> order;
  std::size_t label = 0;
  while (static_cast<Index>(order.size()) < shape.rows / 2) {
    if (random.uniform() > shape.stay) label = random.below(by_class.size());
    if (by_class[label].empty()) {
      label = random.below(by_class.size());
      continue;
    }
    order.push_back(by_class[label].back());
    by_class[label].pop_back();
  }
  PersistentStream stream{drawn.source(), Matrix(static_cast<Index>(order.size()), shape.dimension), {}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::ranges::copy(drawn.batches[1].row(order[i]), stream.features.row(static_cast<Index>(i)).begin());
    stream.time.push_back(static_cast<double>(i / 300));
  }
  const std::vector<std::int64_t> labels(drawn.labels[0].begin(), drawn.labels[0].end());
  if (shape.card) stream.source = *stream.source.with_card(drawn.batches[0], labels);
  return stream;
}

/// Share of the rows that chains answered.
double expect_agreement(const PersistentStream& stream, Index batch_size) {
  const auto adapter = *make_adapter("stad-safe", stream.source);
  reference::GuardedBase reference(reference::head_of(stream.source));
  const MatrixView all = stream.features;
  Index by_chains = 0;
  for (Index first = 0; first < all.rows;) {
    Index count = std::min(batch_size, all.rows - first);
    while (stream.time[first + count - 1] != stream.time[first]) --count;
    const auto found = adapter->adapt(Batch(all.rows_from(first, count), stream.time[first]));
    const std::vector<double> times(static_cast<std::size_t>(count), stream.time[first]);
    const auto expected = reference.adapt(as_eigen(all.rows_from(first, count)).cast<double>(), times);
    const Guard guard = *adapter->guard();
    EXPECT_EQ(guard.chains, expected.signals.open) << "row " << first;
    EXPECT_NEAR(guard.zeta, expected.signals.zeta, 1e-6) << "row " << first;
    EXPECT_NEAR(guard.excess, expected.signals.excess, 1e-6) << "row " << first;
    EXPECT_NEAR(guard.autocorrelation, expected.signals.ra, 1e-3) << "row " << first;
    if (!agrees(*found, expected.base)) {
      ADD_FAILURE() << "row " << first << ": " << agrees(*found, expected.base).message();
      break;
    }
    by_chains += guard.chains ? count : 0;
    first += count;
  }
  return static_cast<double>(by_chains) / static_cast<double>(all.rows);
}

TEST(SafeReference, AgreesOverSeedsShapesAndBatchSizes) {
  double least = 1, most = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    for (const bool card : {true, false})
      for (const Index batch_size : {Index{1}, Index{16}, Index{64}, Index{300}}) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed << " card " << card << " batches of " << batch_size);
        const PersistentShape shapes[] = {
            {.classes = 2, .dimension = 5}, {.classes = 4}, {.classes = 25, .dimension = 40}};
        const auto stream = persistent_stream(seed, [&] {
          PersistentShape shape = shapes[seed % 3];
          shape.card = card;
          shape.stay = seed % 2 ? 0.9 : 0.1;
          return shape;
        }());
        const double share = expect_agreement(stream, batch_size);
        least = std::min(least, share);
        most = std::max(most, share);
      }
  EXPECT_EQ(least, 0) << "in some streams the source answers alone";
  EXPECT_GT(most, 0.2) << "in some streams chains answer";
}

TEST(SafeReference, AgreesWithManyClasses) {
  expect_agreement(persistent_stream(1, {.classes = 300, .dimension = 32, .rows = 2400}), 64);
}

class ExpertReference : public ::testing::TestWithParam<std::pair<const char*, OptionValues>> {};

TEST_P(ExpertReference, AgreesOverSeedsAndBatchSizes) {
  const auto& [method, options] = GetParam();
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const Index batch_size : {Index{1}, Index{64}, Index{600}}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " batches of " << batch_size);
      const auto stream = persistent_stream(seed, {.classes = 2 + static_cast<Index>(seed) * 3});
      const auto adapter = *make_adapter(method, stream.source, options);
      const auto reference = *reference::make_method(method, reference::head_of(stream.source), options);
      const MatrixView all = stream.features;
      for (Index first = 0; first < all.rows; first += batch_size) {
        const MatrixView rows = all.rows_from(first, std::min(batch_size, all.rows - first));
        ASSERT_TRUE(agrees(*adapter->adapt(rows), reference->adapt(as_eigen(rows).cast<double>()))) << first;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Experts, ExpertReference,
                         ::testing::Values(std::pair("normalise", OptionValues{{"kind", "recentre"}}),
                                           std::pair("normalise", OptionValues{{"kind", "half"}}),
                                           std::pair("normalise", OptionValues{{"kind", "standardise"}}),
                                           std::pair("prior", OptionValues{{"refresh", "1"}}),
                                           std::pair("prior", OptionValues{{"refresh", "64"}})));

}  // namespace
}  // namespace stad::testing
