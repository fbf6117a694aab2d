#include <algorithm>

#include <gtest/gtest.h>

#include <stad/eval/simulate.hpp>
#include <stad/methods.hpp>

#include "reference/safe.hpp"
#include "support/agreement.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

/// A stream of rows and its batch sizes.
struct Stream {
  SourceModel source;
  std::vector<Matrix> batches;
};

Stream random(std::uint64_t seed, const RandomStreamShape& shape) {
  RandomStream stream = random_stream(seed, shape);
  return {stream.source(), std::move(stream.batches)};
}

Stream simulated(const SimulationSettings& settings, Index batch_size) {
  const Simulation drawn = *simulate(settings);
  const MatrixView all = drawn.stream.features;
  Stream stream{drawn.source, {}};
  for (Index first = 0; first < all.rows; first += batch_size) {
    Matrix batch(std::min(batch_size, all.rows - first), all.cols);
    as_eigen(batch) = as_eigen(all).middleRows(first, batch.rows());
    stream.batches.push_back(std::move(batch));
  }
  return stream;
}

/// Largest values reached, by which a test verifies that its stream exercised the intended branch.
struct Reached {
  double trust = 0;
  double persistence = 0;
  double short_share = 0;  ///< weight of the short memory
};

/// Rounding may change argmax decisions of the source, the shadow and the adapted classifier, each of which counts as
/// one row in a mean over up to a thousand. None of these seeds has a row that close to a tie.
Reached expect_agreement(const Stream& stream, const StadSafeOptions& options = {}) {
  auto adapter = *make_adapter(stream.source, options);
  reference::Safe reference(reference::head_of(stream.source), options);
  Reached reached;
  for (std::size_t t = 0; t < stream.batches.size(); ++t) {
    const auto found = adapter->adapt(stream.batches[t]);
    if (!found) {
      ADD_FAILURE() << found.error().message;
      break;
    }
    const auto agreed = agrees(*found, reference.adapt(as_double(stream.batches[t])));
    EXPECT_TRUE(agreed) << "batch " << t << ", trust " << reference.trust() << ", persistence "
                        << reference.persistence();
    EXPECT_LE(largest_difference(adapter->prototypes(), reference.prototypes()), 1e-4) << "batch " << t;
    for (std::size_t n = 0; n < found->unknown.size(); ++n)
      EXPECT_NEAR(found->unknown[n], reference.unknown()[static_cast<Index>(n)], 1e-3) << "batch " << t << " row " << n;
    if (!agreed) break;
    reached = {std::max(reached.trust, reference.trust()), std::max(reached.persistence, reference.persistence()),
               std::max(reached.short_share, reference.short_share())};
  }
  return reached;
}

TEST(SafeReference, AgreesInSmallDimension) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    expect_agreement(random(seed, {.classes = 3, .dimension = 8, .batch_sizes = std::vector<Index>(40, 7)}));
  }
}

TEST(SafeReference, AgreesWithTwoClasses) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    expect_agreement(random(seed, {.classes = 2, .dimension = 6, .batch_sizes = std::vector<Index>(40, 16)}));
  }
}

TEST(SafeReference, AgreesWithRaggedBatches) {
  // Shorter than, equal to and longer than a chunk.
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    expect_agreement(
        random(seed, {.classes = 10, .dimension = 33, .batch_sizes = {32, 64, 1, 65, 2, 200, 63, 129, 5, 300}}));
  }
}

TEST(SafeReference, AgreesWithBatchesOfOne) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    expect_agreement(random(seed, {.classes = 4, .dimension = 32, .batch_sizes = std::vector<Index>(400, 1)}));
  }
}

TEST(SafeReference, AgreesWithManyClasses) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    SCOPED_TRACE(seed);
    expect_agreement(random(seed, {.classes = 150, .dimension = 64, .batch_sizes = std::vector<Index>(8, 100)}));
  }
}

TEST(SafeReference, AgreesInHighDimension) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(seed);
    expect_agreement(random(seed, {.classes = 20, .dimension = 1024, .batch_sizes = std::vector<Index>(20, 48)}));
  }
}

TEST(SafeReference, AgreesWherePrototypesAreTrusted) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    EXPECT_GT(expect_agreement(simulated({.strength = 1.5, .noise = 0.7, .seed = seed}, 100)).trust, 0.9);
  }
}

TEST(SafeReference, AgreesWherePrototypesAreTrustedInHighDimension) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    SCOPED_TRACE(seed);
    const SimulationSettings settings{
        .steps = 10, .classes = 10, .dimension = 1024, .strength = 1.5, .noise = 0.7, .seed = seed};
    EXPECT_GT(expect_agreement(simulated(settings, 128)).trust, 0.9);
  }
}

TEST(SafeReference, AgreesWhereClassesJump) {
  for (const Drift drift : {Drift::kRapid, Drift::kAbrupt})
    for (const Index batch_size : {50, 300}) {
      SCOPED_TRACE(batch_size);
      const Reached reached = expect_agreement(simulated({.drift = drift, .steps = 16, .seed = 4}, batch_size));
      EXPECT_GT(reached.trust, 0.5);
      if (drift == Drift::kRapid) {
        EXPECT_GT(reached.short_share, 0.5);
      }
    }
}

TEST(SafeReference, AgreesWhereLabelsPersist) {
  for (const Index batch_size : {1, 50, 100, 256})
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      SCOPED_TRACE(seed);
      SCOPED_TRACE(batch_size);
      const SimulationSettings settings{.steps = 8, .label_shift = true, .seed = seed};
      EXPECT_GT(expect_agreement(simulated(settings, batch_size)).persistence, 0.9);
    }
}

TEST(SafeReference, AgreesWhereLabelsOfManyClassesPersist) {
  const SimulationSettings settings{.steps = 3, .samples_per_step = 400, .classes = 40, .label_shift = true};
  EXPECT_GT(expect_agreement(simulated(settings, 128)).persistence, 0.9);
}

TEST(SafeReference, AgreesWhereRowsMayBeUnknown) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    const SimulationSettings settings{.steps = 10, .noise = 0.5, .unknown_class = true, .seed = seed};
    expect_agreement(simulated(settings, 100), {.unknown = true});
  }
}

TEST(SafeReference, AgreesWhereClassesAreNoClusters) {
  const SimulationSettings settings{.drift = Drift::kNone, .steps = 8, .scattered = true};
  EXPECT_LT(expect_agreement(simulated(settings, 64)).trust, 0.1);
}

}  // namespace
}  // namespace stad::testing
