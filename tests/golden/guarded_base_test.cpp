// The safe_* cases: the reference implementations to the precision of the files, the adapters within the tolerances
// that come with the cases.

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <stad/files.hpp>
#include <stad/methods.hpp>

#include "adapt/stad_safe_adapter.hpp"
#include "math/eigen.hpp"
#include "reference/guarded_base.hpp"
#include "safe/persistence.hpp"
#include "support/golden_case.hpp"
#include "support/shared_files.hpp"

namespace stad::testing {
namespace {

nlohmann::json safe_cases() {
  std::ifstream file(shared_path("golden/safe_cases.json"));
  return nlohmann::json::parse(file);
}

/// The inputs of one case, batch by batch.
class SafeCase {
 public:
  explicit SafeCase(const std::string& name)
      : path_(shared_path("golden/" + name + ".npz")),
        source(*read_source(path_)),
        features(golden_array(path_, "features")),
        time(golden_array(path_, "time")),
        sizes(golden_array(path_, "batch_sizes")),
        signals(golden_array(path_, "signals")) {}

  Eigen::MatrixXd expected(const char* array) const { return golden_array(path_, array); }

  /// Calls check(b, first, count, time) for every batch; all rows of a batch have one time.
  template <typename Check>
  void for_each_batch(const Check& check) const {
    Index first = 0;
    for (Index b = 0; b < sizes.rows() && !::testing::Test::HasFatalFailure(); ++b) {
      const auto count = static_cast<Index>(sizes(b, 0));
      check(b, first, count, time.size() > 0 ? std::optional(time(first, 0)) : std::nullopt);
      first += count;
    }
  }

  /// The same with the rows of the batch as the adapters take them.
  template <typename Check>
  void for_each_float_batch(const Check& check) const {
    for_each_batch([&](Index b, Index first, Index count, std::optional<double> stamp) {
      const Matrix rows = to_matrix<double>(features.middleRows(first, count));
      Batch batch(rows);
      batch.time = stamp;
      check(b, first, batch);
    });
  }

 private:
  std::string path_;

 public:
  SourceModel source;
  Eigen::MatrixXd features, time, sizes, signals;
};

template <typename Check>
void for_each_case(const Check& check) {
  const auto cases = safe_cases();
  ASSERT_GE(cases["cases"].size(), 10U);
  for (const auto& entry : cases["cases"]) {
    SCOPED_TRACE(entry["name"]);
    check(SafeCase(entry["name"]));
  }
}

double difference(const Matrix& found, const Eigen::MatrixXd& expected, Index first) {
  return (as_eigen(found).cast<double>() - expected.middleRows(first, found.rows())).cwiseAbs().maxCoeff();
}

constexpr double kProbabilityTolerance = 2e-4;
constexpr double kSignalTolerance = 1e-3;

TEST(SafeGolden, ReferenceAgreesToThePrecisionOfTheFiles) {
  STAD_NEEDS_SHARED("golden/safe_cases.json");
  for_each_case([](const SafeCase& golden) {
    constexpr double kStored = 1e-7;  // expected probabilities are stored in float32
    reference::GuardedBase base(reference::head_of(golden.source));
    const auto expected = golden.expected("expected_probabilities"), chain = golden.expected("expected_chain");
    golden.for_each_batch([&](Index b, Index first, Index count, std::optional<double> stamp) {
      const std::vector<double> stamps(stamp ? static_cast<std::size_t>(count) : 0, stamp.value_or(0));
      const auto answer = base.adapt(golden.features.middleRows(first, count), stamps);
      ASSERT_LE((answer.base - expected.middleRows(first, count)).cwiseAbs().maxCoeff(), kStored) << "batch " << b;
      ASSERT_LE((answer.chain - chain.middleRows(first, count)).cwiseAbs().maxCoeff(), kStored) << "batch " << b;
      ASSERT_NEAR(answer.signals.zeta, golden.signals(b, 0), 1e-6) << "batch " << b;
      ASSERT_NEAR(answer.signals.excess, golden.signals(b, 1), 1e-6) << "batch " << b;
      ASSERT_NEAR(answer.signals.ra, golden.signals(b, 2), 1e-6) << "batch " << b;
      ASSERT_EQ(answer.signals.open, golden.signals(b, 3) != 0) << "batch " << b;
    });
  });
}

TEST(SafeGolden, BaseAgrees) {
  STAD_NEEDS_SHARED("golden/safe_cases.json");
  for_each_case([](const SafeCase& golden) {
    StadSafeAdapter adapter(golden.source, {});
    const auto expected = golden.expected("expected_probabilities");
    golden.for_each_float_batch([&](Index b, Index first, const Batch& batch) {
      const auto answer = adapter.adapt(batch);
      ASSERT_TRUE(answer);
      const Guard guard = *adapter.guard();
      ASSERT_LE(difference(answer->probabilities, expected, first), kProbabilityTolerance) << "batch " << b;
      ASSERT_NEAR(guard.zeta, golden.signals(b, 0), kSignalTolerance) << "batch " << b;
      ASSERT_NEAR(guard.excess, golden.signals(b, 1), kSignalTolerance) << "batch " << b;
      ASSERT_NEAR(guard.autocorrelation, golden.signals(b, 2), kSignalTolerance) << "batch " << b;
      ASSERT_EQ(guard.chains, golden.signals(b, 3) != 0) << "batch " << b;
    });
  });
}

/// The bank's answers in every batch, whether the tests allow them or not.
TEST(SafeGolden, ChainsAgree) {
  STAD_NEEDS_SHARED("golden/safe_cases.json");
  constexpr safe::Params kAlwaysOpen{
      .least_zeta = -1e9, .least_excess = -1e9, .most_autocorrelation = 1e9, .least_rows = 0};
  for_each_case([&](const SafeCase& golden) {
    StadSafeAdapter adapter(golden.source, {}, {}, kAlwaysOpen);
    const auto expected = golden.expected("expected_chain");
    golden.for_each_float_batch([&](Index b, Index first, const Batch& batch) {
      const auto answer = adapter.adapt(batch);
      ASSERT_TRUE(answer);
      ASSERT_LE(difference(answer->probabilities, expected, first), kProbabilityTolerance) << "batch " << b;
    });
  });
}

/// @param expected probabilities of the whole stream
void expect_method_agrees(const SafeCase& golden, const char* method, const OptionValues& options,
                          const Eigen::MatrixXd& expected) {
  const auto adapter = make_adapter(method, golden.source, options);
  ASSERT_TRUE(adapter) << adapter.error().message;
  golden.for_each_float_batch([&](Index b, Index first, const Batch& batch) {
    const auto answer = (*adapter)->adapt(batch);
    ASSERT_TRUE(answer);
    ASSERT_LE(difference(answer->probabilities, expected, first), kProbabilityTolerance) << method << " batch " << b;
  });
}

TEST(SafeGolden, ExpertsAgree) {
  STAD_NEEDS_SHARED("golden/safe_cases.json");
  for_each_case([](const SafeCase& golden) {
    for (const char* kind : {"recentre", "half", "standardise"})
      expect_method_agrees(golden, "normalise", {{"kind", kind}},
                           reference::softmax_of(golden.expected((std::string("expected_") + kind).c_str())));
    expect_method_agrees(golden, "prior", {{"refresh", "1"}}, golden.expected("expected_prior"));
  });
}

TEST(SafeGolden, PermutationMomentsAgree) {
  STAD_NEEDS_SHARED("golden/safe_cases.json");
  for (const auto& entry : safe_cases()["adjacency"]) {
    const auto labels = entry["labels"].get<std::vector<Index>>();
    const auto expect = [&](const auto& moments) {
      EXPECT_EQ(moments.observed, entry["observed"].get<double>());
      EXPECT_NEAR(moments.mean, entry["mean"].get<double>(), 1e-9);
      EXPECT_NEAR(moments.variance, entry["variance"].get<double>(), 1e-9);
      EXPECT_EQ(moments.pairs, entry["pairs"].get<double>());
    };
    expect(reference::neighbour_moments(labels));
    expect(safe::adjacency_moments(labels, *std::ranges::max_element(labels) + 1));
  }
}

}  // namespace
}  // namespace stad::testing
