// The model as the adapter asks it.

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <stad/methods.hpp>
#include <stad/metrics.hpp>
#include <stad/simulate.hpp>

#include "math/eigen.hpp"

namespace stad::safe {
namespace {

using Labels = std::vector<std::int64_t>;

constexpr Index kBatch = 100;

/// The method's answers to rows in order.
Labels answers(const AdapterPointer& adapter, const Matrix& rows) {
  Labels labels;
  for (Index first = 0; first < rows.rows(); first += kBatch) {
    const auto answer = *adapter->adapt(rows.view().rows_from(first, std::min(kBatch, rows.rows() - first)));
    labels.insert(labels.end(), answer.labels.begin(), answer.labels.end());
  }
  return labels;
}

Matrix rows_of(const Simulation& drawn) {
  Matrix rows(drawn.stream.features.rows, drawn.stream.features.cols);
  as_eigen(rows) = as_eigen(drawn.stream.features);
  return rows;
}

Labels answers(const char* method, const Simulation& drawn) {
  return answers(*make_adapter(method, drawn.source), rows_of(drawn));
}

/// Share of the labels that are the same, from a part of the stream on.
double alike(const Labels& a, const Labels& b, double from = 0) {
  const auto first = static_cast<std::size_t>(from * static_cast<double>(a.size()));
  double same = 0;
  for (std::size_t n = first; n < a.size(); ++n) same += a[n] == b[n] ? 1 : 0;
  return same / static_cast<double>(a.size() - first);
}

TEST(SafeModel, AnswersAsTheSourceWherePrototypesCannotSayWhatItSays) {
  for (const Drift drift : {Drift::kNone, Drift::kProgressive, Drift::kAbrupt})
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const auto drawn = *simulate({.drift = drift, .steps = 12, .scattered = true, .seed = seed});
      EXPECT_GE(alike(answers("stad-safe", drawn), answers("source", drawn)), 0.995)
          << static_cast<int>(drift) << " " << seed;
    }
}

TEST(SafeModel, AnswersAsTheSourceWithoutDrift) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto drawn = *simulate({.drift = Drift::kNone, .steps = 12, .seed = seed});
    EXPECT_GE(alike(answers("stad-safe", drawn), answers("source", drawn)), 0.995) << seed;
  }
}

TEST(SafeModel, BeatsTheSourceWhereClustersMove) {
  for (const Drift drift : {Drift::kProgressive, Drift::kAbrupt})
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const auto drawn = *simulate({.drift = drift, .strength = 1.5, .seed = seed});
      const double source = alike(answers("source", drawn), drawn.stream.labels, 0.6);
      const double safe = alike(answers("stad-safe", drawn), drawn.stream.labels, 0.6);
      EXPECT_GT(safe, source + 0.05) << static_cast<int>(drift) << " " << seed;
    }
}

TEST(SafeModel, BeatsTheSourceWhereLabelsPersist) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto drawn = *simulate({.strength = 1.5, .label_shift = true, .seed = seed});
    const double source = alike(answers("source", drawn), drawn.stream.labels);
    const double safe = alike(answers("stad-safe", drawn), drawn.stream.labels);
    EXPECT_GT(safe, source + 0.05) << seed;
  }
}

TEST(SafeModel, AClassThatIsLongAbsentFallsBackToTheSourceAndIsNotLost) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto drawn = *simulate({.drift = Drift::kNone, .steps = 30, .noise = 0.7, .seed = seed});
    auto adapter = *make_adapter("stad-safe", drawn.source);
    const Matrix all = rows_of(drawn);
    // The first rows have every class, all others have every class but one.
    constexpr Index kAbsent = 2;
    constexpr Index kWithAll = 1000;
    std::vector<Index> kept;
    for (Index n = kWithAll; n < all.rows(); ++n)
      if (drawn.stream.labels[static_cast<std::size_t>(n)] != kAbsent) kept.push_back(n);
    Matrix first(kWithAll, all.cols());
    as_eigen(first) = as_eigen(all).topRows(kWithAll);
    Matrix others(static_cast<Index>(kept.size()), all.cols());
    as_eigen(others) = as_eigen(all)(kept, Eigen::all);

    answers(adapter, first);
    const Matrix before = adapter->prototypes();
    answers(adapter, others);
    const Matrix after = adapter->prototypes();
    const auto weight = as_eigen(drawn.source.weight()).row(kAbsent).normalized().eval();
    EXPECT_GT(as_eigen(after).row(kAbsent).dot(weight), as_eigen(before).row(kAbsent).dot(weight)) << seed;
    // And is found again when it comes back.
    std::vector<std::int64_t> labels(drawn.stream.labels.begin(), drawn.stream.labels.begin() + kWithAll);
    EXPECT_GT(alike(answers(adapter, first), labels), 0.95) << seed;
  }
}

TEST(SafeModel, LosesNoClassInAHundredThousandBatchesOfLabelShift) {
  constexpr Index kBatches = 100'000;
  constexpr Index kRows = 4;
  const auto drawn = *simulate({.drift = Drift::kRecurring, .steps = 20, .samples_per_step = 400, .label_shift = true});
  const auto adapter = *make_adapter("stad-safe", drawn.source);
  const MatrixView rows = drawn.stream.features;
  std::vector<ClassScore> scores(static_cast<std::size_t>(drawn.source.classes()));
  Predictions answer;
  for (Index batch = 0; batch < kBatches; ++batch) {
    const Index first = batch * kRows % rows.rows;
    ASSERT_TRUE(adapter->adapt(rows.rows_from(first, kRows), answer));
    if (batch < kBatches - kBatches / 10) continue;
    for (Index n = 0; n < kRows; ++n) {
      ClassScore& score = scores[drawn.stream.labels[first + n]];
      ++score.samples;
      score.correct += answer.labels[n] == drawn.stream.labels[first + n] ? 1 : 0;
    }
  }
  for (const ClassScore& score : scores) EXPECT_GE(score.recall(), 0.95);
}

}  // namespace
}  // namespace stad::safe
