#include "serving/change_log.hpp"

#include <gtest/gtest.h>

#include <stad/eval/simulate.hpp>
#include <stad/methods.hpp>

#include "common/error.hpp"
#include "serving/stream_session.hpp"

namespace stad::serving {
namespace {

const Simulation& simulation() {
  static const Simulation simulation = need(simulate({.steps = 8, .seed = 3}));
  return simulation;
}

ModelPointer model_with(const std::string& method, const OptionValues& options = {}) {
  ModelSpecification specification;
  specification.name = "m";
  specification.method = method;
  specification.options = options;
  return need(ServedModel::create(specification, simulation().source));
}

InferRequest request_of(Index batch, Index rows) {
  InferRequest request;
  const MatrixView features = simulation().stream.features.rows_from(batch * rows, rows);
  request.features.resize(rows, features.cols);
  for (Index n = 0; n < rows; ++n) {
    std::ranges::copy(features.row(n), request.features.row(n).begin());
    request.row_ids.push_back(batch * rows + n);
  }
  if (batch % 2 == 1) request.time = static_cast<double>(batch);
  return request;
}

/// A store of one stream.
class Stored {
 public:
  void save(StreamRecord next) {
    if (!next.only_changes) {
      ++states;
      record = std::move(next);
      return;
    }
    record.changes.insert(record.changes.end(), next.changes.begin(), next.changes.end());
    record.batches = next.batches;
    record.rows = next.rows;
  }
  StreamRecord record;
  int states = 0;
};

TEST(ChangeLog, StateAndChangesContinueBitForBitForEveryMethod) {
  for (const auto& method : methods()) {
    const ModelPointer model = model_with(method.name);
    StreamSession session(model, 0, true);
    Stored stored;
    for (Index batch = 0; batch < 12; ++batch) {
      session.answer_request(request_of(batch, batch % 3 + 1));
      stored.save(session.next_record(1));
      StreamSession loaded(model, 0, true);
      loaded.restore(stored.record);
      ASSERT_EQ(loaded.record(1).state, session.record(1).state) << method.name << ", batch " << batch;
      EXPECT_EQ(loaded.batches(), session.batches());
    }
  }
}

TEST(ChangeLog, LabelsAreChanges) {
  const ModelPointer model = model_with("stad-safe", {{"label_budget", "4"}});
  StreamSession session(model, 0, true);
  Stored stored;
  for (Index batch = 0; batch < 8; ++batch) {
    const InferRequest request = request_of(batch, 4);
    session.answer_request(request);
    stored.save(session.next_record(1));
    const std::vector<std::int64_t> labels(request.row_ids.size(), 1);
    session.observe(request.row_ids, labels);
    stored.save(session.next_record(1));
  }
  StreamSession loaded(model, 0, true);
  loaded.restore(stored.record);
  EXPECT_EQ(loaded.record(1).state, session.record(1).state);
  EXPECT_LT(stored.states, 8);
}

TEST(ChangeLog, TheStateIsWrittenAgainOnceChangesOutweighIt) {
  StreamSession session(model_with("stad-safe"), 0, true);
  Stored stored;
  std::size_t largest = 0;
  for (Index batch = 0; batch < 400; ++batch) {
    session.answer_request(request_of(batch % 50, 2));
    stored.save(session.next_record(1));
    std::size_t bytes = 0;
    for (const auto& change : stored.record.changes) bytes += change.size();
    largest = std::max(largest, bytes);
    ASSERT_LE(bytes, 4 * stored.record.state.size());
  }
  EXPECT_GT(largest, 0U);
  EXPECT_GT(stored.states, 1);
}

TEST(ChangeLog, AResetOrARestoredStateIsWrittenAsAState) {
  StreamSession session(model_with("stad-safe"), 0, true);
  session.answer_request(request_of(0, 2));
  EXPECT_FALSE(session.next_record(1).only_changes);
  session.answer_request(request_of(1, 2));
  const StreamRecord changes = session.next_record(1);
  EXPECT_TRUE(changes.only_changes);
  session.restore_state(session.record(1).state);
  EXPECT_FALSE(session.next_record(1).only_changes);
  InferRequest restart = request_of(2, 2);
  restart.starts = true;
  session.answer_request(restart);
  EXPECT_FALSE(session.next_record(1).only_changes);
}

TEST(ChangeLog, DamageIsFound) {
  const auto adapter = need(make_adapter("stad-safe", simulation().source, {}));
  const InferRequest request = request_of(0, 2);
  Batch batch(request.features);
  const std::string change = encode_batch(batch);
  ASSERT_NO_THROW(apply_change(change, *adapter));
  for (std::size_t place = 0; place < change.size(); place += 7) {
    std::string damaged = change;
    damaged[place] = static_cast<char>(damaged[place] ^ 4);
    EXPECT_THROW(apply_change(damaged, *adapter), AppError) << place;
  }
  for (std::size_t length = 0; length < change.size(); length += 5)
    EXPECT_THROW(apply_change(std::string_view(change).substr(0, length), *adapter), AppError) << length;
}

}  // namespace
}  // namespace stad::serving
