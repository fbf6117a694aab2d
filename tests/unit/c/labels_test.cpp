#include <stad/stad.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <stad/methods.hpp>

#include "handles.hpp"

namespace stad::testing {
namespace {

const RandomStreamShape kLabelledShape{.classes = 4, .dimension = 12, .batch_sizes = {64, 64, 64, 64, 64, 64}};
const std::vector<stad_option> kBudgetOptions{
    {"label_budget", "60"}, {"label_period", "400"}, {"candidates", "fine-tune,stad-vmf"}};

/// The same options in C++.
OptionValues budget_values() {
  OptionValues values;
  for (const auto& [name, value] : kBudgetOptions) values.emplace_back(name, value);
  return values;
}

std::vector<std::int64_t> batch_ids(std::size_t batch, std::size_t rows) {
  std::vector<std::int64_t> ids(rows);
  std::iota(ids.begin(), ids.end(), static_cast<std::int64_t>(1000 * batch));
  return ids;
}

std::vector<std::size_t> c_requests(const stad_adapter* adapter) {
  std::size_t count = 0;
  EXPECT_EQ(stad_label_requests(adapter, nullptr, 0, &count), STAD_OK) << stad_last_error();
  std::vector<std::size_t> rows(count);
  EXPECT_EQ(stad_label_requests(adapter, rows.data(), rows.size(), &count), STAD_OK) << stad_last_error();
  EXPECT_EQ(count, rows.size());
  return rows;
}

std::vector<stad_candidate> c_candidates(const stad_adapter* adapter) {
  std::size_t count = 0;
  EXPECT_EQ(stad_adapter_candidates(adapter, nullptr, 0, &count), STAD_OK) << stad_last_error();
  std::vector<stad_candidate> candidates(count);
  EXPECT_EQ(stad_adapter_candidates(adapter, candidates.data(), count, &count), STAD_OK) << stad_last_error();
  EXPECT_EQ(count, candidates.size());
  return candidates;
}

void expect_candidate(const stad_candidate& one, const CandidateStatus& expected) {
  EXPECT_EQ(one.name, expected.name);
  EXPECT_EQ(one.answers, expected.answers);
  EXPECT_EQ(one.live, expected.live);
  EXPECT_EQ(one.wealth, expected.wealth);
  EXPECT_EQ(one.threshold, expected.threshold);
  EXPECT_EQ(one.watch, expected.watch);
  EXPECT_EQ(one.attempt, static_cast<std::size_t>(expected.attempt));
}

void expect_candidates(const std::vector<stad_candidate>& candidates, const Health& expected) {
  ASSERT_EQ(candidates.size(), expected.candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) expect_candidate(candidates[c], expected.candidates[c]);
}

/// Adapts to batch `b` with ids and passes the labels that are requested of it. Returns the probabilities.
Matrix adapt_and_label(const RandomStream& stream, std::size_t b, stad_adapter* adapter) {
  const std::vector<std::int64_t> ids = batch_ids(b, stream.labels[b].size());
  stad_batch batch = c_batch(stream.batches[b]);
  batch.ids = ids.data();
  Matrix probabilities(stream.batches[b].rows(), 4);
  EXPECT_EQ(stad_adapt(adapter, &batch, nullptr, probabilities.data()), STAD_OK) << stad_last_error();
  std::vector<std::int64_t> requested, labels;
  for (const std::size_t row : c_requests(adapter)) {
    requested.push_back(ids[row]);
    labels.push_back(stream.labels[b][row]);
  }
  std::size_t used = 0;
  EXPECT_EQ(stad_observe(adapter, requested.data(), labels.data(), labels.size(), &used), STAD_OK) << stad_last_error();
  EXPECT_EQ(used, labels.size());
  return probabilities;
}

TEST(CApi, RequestsTheLabelsThatTheLibraryRequests) {
  const auto stream = random_stream(6, kLabelledShape);
  const Handles c(stream, "stad-safe", kBudgetOptions);
  const auto adapter = *make_adapter("stad-safe", stream.source(), budget_values());
  std::size_t requested = 0;
  for (std::size_t b = 0; b < stream.batches.size(); ++b) {
    const Matrix probabilities = adapt_and_label(stream, b, c.adapter);
    const std::vector<std::int64_t> ids = batch_ids(b, stream.labels[b].size());
    Batch batch(stream.batches[b]);
    batch.ids = ids;
    const auto expected = *adapter->adapt(batch);
    EXPECT_EQ(probabilities, expected.probabilities);
    const std::vector<std::size_t> rows = c_requests(c.adapter);
    EXPECT_TRUE(std::ranges::equal(rows, expected.label_requests));
    std::vector<std::int64_t> requested_ids, labels;
    for (const std::size_t row : rows) {
      requested_ids.push_back(ids[row]);
      labels.push_back(stream.labels[b][row]);
    }
    ASSERT_TRUE(adapter->observe(requested_ids, labels));
    expect_candidates(c_candidates(c.adapter), adapter->health());
    requested += rows.size();
  }
  EXPECT_GT(requested, 0U);
  EXPECT_LE(requested, 60U) << "the budget of the first period";
}

TEST(CApi, TakesLabelledRowsOfAUniformSample) {
  const auto stream = random_stream(7, kLabelledShape);
  const auto adapter = *make_adapter("stad-safe", stream.source(), {{"candidates", "fine-tune,prior"}, {"seed", "3"}});
  const Handles c(stream, "stad-safe", {{"candidates", "fine-tune,prior"}, {"seed", "3"}});
  for (std::size_t b = 0; b < stream.batches.size(); ++b) {
    const bool uniform = b % 2 == 1;
    const std::vector<std::int64_t> labels(stream.labels[b].begin(), stream.labels[b].end());
    const stad_batch batch = c_batch(stream.batches[b]);
    std::size_t used = 0;
    ASSERT_EQ(stad_observe_rows(c.adapter, &batch, labels.data(), uniform, &used), STAD_OK) << stad_last_error();
    EXPECT_EQ(used, labels.size());
    ASSERT_TRUE(adapter->observe(stream.batches[b], labels, uniform ? LabelSampling::kUniform : LabelSampling::kAny));
    expect_candidates(c_candidates(c.adapter), adapter->health());
    if (b == 0) {
      EXPECT_EQ(c_candidates(c.adapter)[0].wealth, 1) << "labels of any rows are not evidence";
    }
  }
  EXPECT_NE(c_candidates(c.adapter)[0].wealth, 1);
}

TEST(CApi, ListsNoCandidatesOrRequestsWithoutABudget) {
  const auto stream = random_stream(8, kLabelledShape);
  for (const char* method : {"stad-safe", "stad-vmf"}) {
    const Handles c(stream, method);
    const stad_batch batch = c_batch(stream.batches[0]);
    ASSERT_EQ(stad_adapt(c.adapter, &batch, nullptr, nullptr), STAD_OK);
    EXPECT_TRUE(c_candidates(c.adapter).empty());
    EXPECT_TRUE(c_requests(c.adapter).empty());
  }
}

TEST(CApi, KeepsTheNamesOfCandidatesUntilTheAdapterIsFreed) {
  const auto stream = random_stream(9, kLabelledShape);
  const Handles c(stream, "stad-safe", kBudgetOptions);
  const std::vector<stad_candidate> before = c_candidates(c.adapter);
  ASSERT_EQ(before.size(), 2U);
  adapt_and_label(stream, 0, c.adapter);
  EXPECT_STREQ(before[0].name, "fine-tune");
  EXPECT_STREQ(before[1].name, "stad-vmf");
  EXPECT_EQ(before[1].name, c_candidates(c.adapter)[1].name) << "the same memory";
}

TEST(CApi, ContinuesFromAStateWithPendingRequests) {
  const auto stream = random_stream(10, kLabelledShape);
  const Handles whole(stream, "stad-safe", kBudgetOptions);
  const Handles restored(stream, "stad-safe", kBudgetOptions);
  const std::vector<std::int64_t> ids = batch_ids(0, 64);
  stad_batch batch = c_batch(stream.batches[0]);
  batch.ids = ids.data();
  ASSERT_EQ(stad_adapt(whole.adapter, &batch, nullptr, nullptr), STAD_OK);
  const std::vector<std::size_t> rows = c_requests(whole.adapter);
  ASSERT_FALSE(rows.empty());
  void* bytes = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(stad_adapter_state(whole.adapter, &bytes, &size), STAD_OK);
  ASSERT_EQ(stad_adapter_restore(restored.adapter, bytes, size), STAD_OK) << stad_last_error();
  stad_bytes_free(bytes);
  for (stad_adapter* adapter : {whole.adapter, restored.adapter})
    for (const std::size_t row : rows) {
      std::size_t used = 0;
      const std::int64_t label = stream.labels[0][row];
      ASSERT_EQ(stad_observe(adapter, &ids[row], &label, 1, &used), STAD_OK) << stad_last_error();
      EXPECT_EQ(used, 1U) << "the request is pending in the state";
    }
  for (std::size_t b = 1; b < stream.batches.size(); ++b)
    EXPECT_EQ(adapt_and_label(stream, b, whole.adapter), adapt_and_label(stream, b, restored.adapter));
}

TEST(CApi, RejectsInvalidLabelArguments) {
  const auto stream = random_stream(11, kLabelledShape);
  const auto expect_invalid = [](stad_status status, const char* reason) {
    EXPECT_EQ(status, STAD_INVALID);
    EXPECT_NE(std::string(stad_last_error()).find(reason), std::string::npos) << stad_last_error();
  };
  const Handles c(stream, "stad-safe", kBudgetOptions), bare(stream, "stad-safe");
  const std::int64_t id = 1, label = 4;
  const std::vector<std::int64_t> labels(64, label);
  stad_batch batch = c_batch(stream.batches[0]);
  std::size_t count = 7;
  expect_invalid(stad_observe(bare.adapter, &id, &id, 1, nullptr),
                 "stad-safe takes labels only with candidates; set label_budget, or candidates");
  expect_invalid(stad_observe(c.adapter, &id, &label, 1, nullptr), "number 0 is 4");
  expect_invalid(stad_observe_rows(c.adapter, &batch, labels.data(), 1, nullptr), "number 0 is 4");
  expect_invalid(stad_observe_rows(c.adapter, &batch, nullptr, 1, nullptr), "labels is NULL");
  expect_invalid(stad_observe_rows(c.adapter, nullptr, labels.data(), 1, nullptr), "batch is NULL");
  expect_invalid(stad_observe_rows(nullptr, &batch, labels.data(), 1, nullptr), "adapter is NULL");
  expect_invalid(stad_label_requests(nullptr, nullptr, 0, &count), "adapter is NULL");
  expect_invalid(stad_label_requests(c.adapter, nullptr, 0, nullptr), "count is NULL");
  expect_invalid(stad_adapter_candidates(nullptr, nullptr, 0, &count), "adapter is NULL");
  stad_candidate one;
  expect_invalid(stad_adapter_candidates(c.adapter, &one, 1, &count),
                 "capacity is 1, must be at least 2; pass candidates = NULL");
  const std::vector<std::int64_t> ids = batch_ids(0, 64);
  batch.ids = ids.data();
  ASSERT_EQ(stad_adapt(c.adapter, &batch, nullptr, nullptr), STAD_OK);
  std::size_t row = 0;
  expect_invalid(stad_label_requests(c.adapter, &row, 0, &count), "capacity is 0, must be at least");
  EXPECT_EQ(count, 7U) << "a failed call changes nothing";
  stad_adapter* adapter = nullptr;
  const stad_option unknown{"candidates", "fine-tune,magic"};
  expect_invalid(stad_adapter_create(c.source, "stad-safe", &unknown, 1, &adapter),
                 "candidates = fine-tune,magic, must be auto");
  EXPECT_EQ(adapter, nullptr);
}

}  // namespace
}  // namespace stad::testing
