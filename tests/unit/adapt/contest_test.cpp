// Candidates, label requests and certificate of stad-safe, end to end.

#include "adapt/contest.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <stad/threads.hpp>

#include "support/contest_run.hpp"

namespace stad::testing {
namespace {

std::vector<double> wealths(const Adapter& adapter) {
  std::vector<double> list;
  for (const auto& candidate : adapter.health().candidates) list.push_back(candidate.wealth);
  return list;
}

TEST(Contest, AdmitsACandidateThatLabelsProveAndAnswersWithIt) {
  const ContestStream stream(1, 100);
  ContestRun run(stream, contest_adapter(stream));
  double base = 0, answered = 0;
  for (Index b = 0; b < stream.size(); ++b) {
    const auto answer = run.adapt(b);
    if (b < stream.size() / 2) continue;
    const auto source = *(*make_adapter("source", stream.source))->predict(stream.features(b));
    for (Index n = 0; n < kContestRows; ++n) {
      base += source.labels[static_cast<std::size_t>(n)] == stream.label(b, n) ? 1 : 0;
      answered += answer.labels[static_cast<std::size_t>(n)] == stream.label(b, n) ? 1 : 0;
    }
  }
  EXPECT_EQ(run.adapter().health().answers(), "fine-tune");
  EXPECT_GT(answered, base + 0.2 * static_cast<double>(stream.size() / 2 * kContestRows));
}

TEST(Contest, RequestsAreAscendingRowsOfBatchesWithIdsWithinTheBudget) {
  const ContestStream stream(2);
  ContestRun run(stream, contest_adapter(stream));
  Index in_period = 0, all = 0;
  for (Index b = 0; b < stream.size(); ++b) {
    if (b % 10 == 0) in_period = 0;  // 200 rows
    const auto answer = run.adapt(b);
    EXPECT_TRUE(std::ranges::is_sorted(answer.label_requests));
    for (const Index n : answer.label_requests) EXPECT_TRUE(n >= 0 && n < kContestRows);
    in_period += static_cast<Index>(answer.label_requests.size());
    all += static_cast<Index>(answer.label_requests.size());
    EXPECT_LE(in_period, 40);
  }
  EXPECT_GT(all, 40);
}

TEST(Contest, RequestsNothingOfBatchesWithoutIds) {
  const ContestStream stream(3);
  const auto adapter = contest_adapter(stream, with_candidates("recentre,half"));
  for (Index b = 0; b < stream.size(); ++b) {
    const auto answer = adapter->adapt(stream.features(b));
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->label_requests.empty());
    EXPECT_EQ(answer->health.pending_requests, 0);
  }
}

TEST(Contest, PredictingChangesNothing) {
  const ContestStream stream(6);
  ContestRun with(stream, contest_adapter(stream)), without(stream, contest_adapter(stream));
  for (Index b = 0; b < stream.size(); ++b) {
    const std::string before = with.bytes();
    const auto answer = *with.adapter().predict(stream.features(b));
    EXPECT_TRUE(answer.label_requests.empty());
    EXPECT_EQ(with.bytes(), before);
    expect_equal_answers(with.adapt(b), without.adapt(b));
  }
  EXPECT_EQ(with.bytes(), without.bytes());
}

TEST(Contest, LabelsOfRowsThatWereNotRequestedAreForgotten) {
  const ContestStream stream(7);
  ContestRun run(stream, contest_adapter(stream));
  for (Index b = 0; b < 10; ++b) run.adapt(b);
  const auto answer = run.adapt(10);
  Ids ids{-5, 123'456}, labels{0, 1};
  for (Index n = 0; n < kContestRows; ++n)
    if (!std::ranges::binary_search(answer.label_requests, n)) {
      ids.push_back(10'000 + n);
      labels.push_back(stream.label(10, n));
    }
  const std::string before = run.bytes();
  const auto observed = run.adapter().observe(ids, labels);
  ASSERT_TRUE(observed);
  EXPECT_EQ(observed->used, 0);
  EXPECT_EQ(observed->forgotten, static_cast<Index>(ids.size()));
  EXPECT_EQ(run.bytes(), before);
}

TEST(Contest, ALabelGivenTwiceCountsOnce) {
  const ContestStream stream(8);
  const auto adapter = contest_adapter(stream, with_candidates("recentre,half,fine-tune"));
  Ids ids(kContestRows);
  Index requested = 0;
  for (Index b = 0; b < 20 && requested == 0; ++b) {
    for (Index n = 0; n < kContestRows; ++n) ids[static_cast<std::size_t>(n)] = 1000 * b + n;
    Batch batch(stream.features(b));
    batch.ids = ids;
    const auto answer = *adapter->adapt(batch);
    for (const Index n : answer.label_requests) {
      ++requested;
      const Ids id{1000 * b + n}, label{stream.label(b, n)};
      EXPECT_EQ(adapter->observe(id, label)->used, 1);
      const AdapterState once = adapter->state();
      EXPECT_EQ(adapter->observe(id, label)->forgotten, 1);
      EXPECT_EQ(adapter->state(), once);
    }
  }
  EXPECT_GT(requested, 0);
}

TEST(Contest, UniformSamplesMoveTheWealthAndOtherLabelledRowsOnlyTeach) {
  const ContestStream stream(9);
  ContestRun run(stream, contest_adapter(stream));
  for (Index b = 0; b < 12; ++b) run.adapt(b);
  ContestRun any = run.continued_by(contest_adapter(stream)), uniform = run.continued_by(contest_adapter(stream));
  for (const ContestRun* copy : {&any, &uniform}) ASSERT_TRUE(copy->adapter().restore(run.adapter().state()));
  const auto before = wealths(run.adapter());
  const Ids labels = stream.labels(12);
  EXPECT_EQ(any.adapter().observe(stream.features(12), labels)->used, kContestRows);
  EXPECT_EQ(wealths(any.adapter()), before);
  EXPECT_EQ(uniform.adapter().observe(stream.features(12), labels, LabelSampling::kUniform)->used, kContestRows);
  EXPECT_NE(wealths(uniform.adapter()), before);
  const auto rows_of = [](const Adapter& adapter) {
    const AdapterState state = adapter.state();
    return *state.find("candidate.fine-tune.rows");
  };
  EXPECT_EQ(rows_of(any.adapter()), rows_of(uniform.adapter())) << "both teach";
  EXPECT_EQ(rows_of(any.adapter()).shape[0], rows_of(run.adapter()).shape[0] + kContestRows);
}

TEST(Contest, UniformSamplesCountByTheAnswersBeforeTheyTeach) {
  const ContestStream stream(10);
  const auto adapter = contest_adapter(stream, with_candidates("fine-tune"));
  ASSERT_TRUE(adapter->observe(stream.features(0), stream.labels(0), LabelSampling::kUniform));
  EXPECT_EQ(wealths(*adapter), std::vector<double>{1}) << "the correction was zero, so that nothing differed";
}

TEST(Contest, RequestsThatExpireCountAgainstTheCandidates) {
  const ContestStream stream(11);
  const auto adapter = contest_adapter(stream, with_candidates("recentre"));
  Ids ids(kContestRows);
  for (Index b = 0; b < stream.size(); ++b) {
    Batch batch(stream.features(b));
    batch.ids = ids;
    const auto answer = *adapter->adapt(batch);
    EXPECT_LE(answer.health.candidates[0].wealth, 1);
  }
  EXPECT_LT(wealths(*adapter)[0], 1);
}

TEST(Contest, ABudgetWithoutCandidatesIsAnError) {
  const ContestStream stream(12);
  const auto made = make_adapter("stad-safe", stream.source, with_candidates("none"));
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("label_budget"), std::string::npos) << made.error().message;
  EXPECT_FALSE(make_adapter(stream.source, StadSafeOptions{.label_budget = 5, .candidates = "none"}));
  EXPECT_TRUE(make_adapter("stad-safe", stream.source, {{"candidates", "none"}}));
}

TEST(Contest, UnknownRepeatedAndEmptyNamesAreErrorsThatNameTheOption) {
  const ContestStream stream(13);
  for (const char* names : {"other", "fine-tune,fine-tune", "half,prior,half", "", ",", "half,", ",half", "half,,prior",
                            "half, prior", "Half", "stad-safe", "source", "none,half", "auto,half"}) {
    const auto made = make_adapter("stad-safe", stream.source, {{"candidates", names}});
    ASSERT_FALSE(made) << names;
    EXPECT_NE(made.error().message.find("candidates"), std::string::npos) << made.error().message;
    EXPECT_FALSE(make_adapter(stream.source, StadSafeOptions{.candidates = names})) << names;
  }
}

TEST(Contest, LabelsWithoutCandidatesAreRefused) {
  const ContestStream stream(14);
  const auto adapter = *make_adapter("stad-safe", stream.source);
  const auto refused = adapter->observe(Ids{1}, Ids{0});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("label_budget"), std::string::npos);
}

TEST(Contest, CandidatesThatNeedAMeanOrVarianceSayWhatTheSourceLacks) {
  const ContestStream stream(15);
  const auto bare = *SourceModel::create(stream.drawn.weight, stream.drawn.bias);
  for (const char* name : {"recentre", "half", "standardise"}) {
    const auto made = make_adapter("stad-safe", bare, {{"candidates", name}});
    ASSERT_FALSE(made) << name;
    EXPECT_NE(made.error().message.find("candidates"), std::string::npos) << made.error().message;
  }
}

class ContestCandidate : public ::testing::TestWithParam<const char*> {};

TEST_P(ContestCandidate, RunsOnASourceWithACardAndAMean) {
  const ContestStream stream(16, 25);
  ContestRun run(stream, contest_adapter(stream, with_candidates(GetParam())));
  for (Index b = 0; b < stream.size(); ++b) {
    const auto answer = run.adapt(b);
    ASSERT_EQ(answer.health.candidates.size(), 1U);
    EXPECT_EQ(answer.health.candidates[0].name, GetParam());
    for (Index i = 0; i < answer.probabilities.size(); ++i) ASSERT_TRUE(std::isfinite(answer.probabilities.data()[i]));
  }
  const std::string bytes = run.bytes();
  const auto restored = contest_adapter(stream, with_candidates(GetParam()));
  const Status status = restored->restore(*state_from_bytes(bytes));
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(*state_to_bytes(restored->state()), bytes);
}

INSTANTIATE_TEST_SUITE_P(Names, ContestCandidate,
                         ::testing::Values("chains", "fine-tune", "standardise", "recentre", "half", "prior",
                                           "stad-vmf", "stad-gauss", "lame", "t3a"));

TEST(Contest, GivesTheSameBitsWhateverTheThreads) {
  // Large enough that the work is shared out.
  const ContestStream stream(17, 8, 200, 40, 96);
  const auto options = with_candidates("chains,fine-tune,recentre,stad-vmf,lame");
  const auto run_with = [&](int count) {
    set_threads(count);
    ContestRun run(stream, contest_adapter(stream, options));
    std::vector<Predictions> answers;
    for (Index b = 0; b < stream.size(); ++b) answers.push_back(run.adapt(b));
    set_threads(1);
    return std::pair(std::move(answers), run.bytes());
  };
  const auto [alone, alone_bytes] = run_with(1);
  const auto [shared, shared_bytes] = run_with(2);
  for (std::size_t b = 0; b < alone.size(); ++b) expect_equal_answers(alone[b], shared[b]);
  EXPECT_EQ(alone_bytes, shared_bytes);
}

}  // namespace
}  // namespace stad::testing
