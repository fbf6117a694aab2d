#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <stad/files.hpp>
#include <stad/methods.hpp>

#include "support/random_stream.hpp"

namespace stad::testing {

using Ids = std::vector<std::int64_t>;

inline constexpr Index kContestRows = 20;

/// A stream whose first batch makes the card, and whose classes 0 and 1 have changed places since.
struct ContestStream {
  explicit ContestStream(std::uint64_t seed, Index batches = 40, Index rows = kContestRows, Index classes = 4,
                         Index dimension = 12)
      : drawn(random_stream(seed, {.classes = classes,
                                   .dimension = dimension,
                                   .batch_sizes = sizes(batches, rows),
                                   .noise = 0.7,
                                   .drift = 0})),
        source(*drawn.source().with_card(drawn.batches[0], Ids(drawn.labels[0].begin(), drawn.labels[0].end()))) {}

  static std::vector<Index> sizes(Index batches, Index rows) {
    std::vector<Index> list(static_cast<std::size_t>(batches + 1), rows);
    list[0] = 400;
    return list;
  }
  Index size() const { return static_cast<Index>(drawn.batches.size()) - 1; }
  const Matrix& features(Index b) const { return drawn.batches[static_cast<std::size_t>(b + 1)]; }
  std::int64_t label(Index b, Index n) const {
    const Index original = drawn.labels[static_cast<std::size_t>(b + 1)][static_cast<std::size_t>(n)];
    return original < 2 ? 1 - original : original;
  }
  Ids labels(Index b) const {
    Ids list;
    for (Index n = 0; n < features(b).rows(); ++n) list.push_back(label(b, n));
    return list;
  }

  RandomStream drawn;
  SourceModel source;
};

/// Passes batches with ids to an adapter, and labels of requested rows two batches later, the newest first. One label
/// in ten never arrives.
class ContestRun {
 public:
  ContestRun(const ContestStream& stream, AdapterPointer adapter) : stream_(stream), adapter_(std::move(adapter)) {}

  Predictions adapt(Index b) {
    const Matrix& features = stream_.features(b);
    Ids ids;
    for (Index n = 0; n < features.rows(); ++n) ids.push_back(id_of(b, n));
    Batch batch(features.view(), static_cast<double>(b));
    batch.ids = ids;
    Predictions answer = *adapter_->adapt(batch);
    deliver(b - 2);
    for (const Index n : answer.label_requests)
      if (id_of(b, n) % 10 != 3) requested_.emplace_back(b, n);
    return answer;
  }

  Adapter& adapter() const { return *adapter_; }
  std::string bytes() const { return *state_to_bytes(adapter_->state()); }
  /// The same run continued by another adapter.
  ContestRun continued_by(AdapterPointer adapter) const {
    ContestRun run(stream_, std::move(adapter));
    run.requested_ = requested_;
    return run;
  }

 private:
  static std::int64_t id_of(Index b, Index n) { return 1000 * b + n; }

  void deliver(Index until) {
    Ids ids, labels;
    for (; !requested_.empty() && requested_.front().first <= until; requested_.pop_front()) {
      ids.insert(ids.begin(), id_of(requested_.front().first, requested_.front().second));
      labels.insert(labels.begin(), stream_.label(requested_.front().first, requested_.front().second));
    }
    if (ids.empty()) return;
    const auto observed = adapter_->observe(ids, labels);
    ASSERT_TRUE(observed);
    EXPECT_EQ(observed->used + observed->forgotten, static_cast<Index>(ids.size()));
  }

  const ContestStream& stream_;
  AdapterPointer adapter_;
  std::deque<std::pair<Index, Index>> requested_;  ///< batch and row
};

inline const OptionValues kBudget{{"label_budget", "40"}, {"label_period", "200"}, {"label_expiry", "100"}};

inline OptionValues with_candidates(const std::string& names) {
  OptionValues options = kBudget;
  options.emplace_back("candidates", names);
  return options;
}

inline AdapterPointer contest_adapter(const ContestStream& stream, const OptionValues& options = kBudget) {
  auto made = make_adapter("stad-safe", stream.source, options);
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

inline void expect_equal_answers(const Predictions& one, const Predictions& other) {
  EXPECT_EQ(one.labels, other.labels);
  EXPECT_EQ(one.probabilities, other.probabilities);
  EXPECT_EQ(one.label_requests, other.label_requests);
  EXPECT_EQ(one.health.answers(), other.health.answers());
}

}  // namespace stad::testing
