#include "serving/stream_session.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace stad::serving {
namespace {

ModelPointer model_of(Index classes) {
  Matrix weight(classes, 2);
  for (Index k = 0; k < classes; ++k) weight(k, 0) = static_cast<float>(k + 1);
  ModelSpecification specification;
  specification.name = "m";
  specification.method = "source";
  return need(ServedModel::create(specification, need(SourceModel::create(std::move(weight)))));
}

InferRequest request_of(Index rows) {
  InferRequest request;
  request.features.resize(rows, 2);
  return request;
}

TEST(CheckRequest, RefusesAnAnswerThatWouldBeTooLarge) {
  const ModelPointer model = model_of(300);
  EXPECT_NO_THROW(check_request(*model, request_of(55'000)));
  EXPECT_THROW(check_request(*model, request_of(65'000)), AppError);
  InferRequest for_labels = request_of(65'000);
  for_labels.probabilities.wanted = false;
  EXPECT_NO_THROW(check_request(*model, for_labels));
}

/// Two classes along one axis; the card promises an accuracy that rows on the wrong side of it take away.
ModelPointer guarded_model(SourceCard card) {
  Matrix weight(2, 2);
  weight(0, 0) = 1;
  weight(1, 0) = -1;
  ModelSpecification specification;
  specification.name = "m";
  const SourceModel source = need(SourceModel::create(std::move(weight), {}, {0, 0}));
  return need(ServedModel::create(specification, need(source.with_card(std::move(card)))));
}

/// Rows on both sides in turn.
InferRequest rows_at(float x) {
  InferRequest request = request_of(64);
  for (Index n = 0; n < 64; ++n) request.features(n, 0) = n % 2 ? x : -x;
  return request;
}

TEST(StreamSession, HasAWarningLevelWhereTheHeadHasACard) {
  SourceCard card;
  card.accuracy = 0.95;
  card.confidence = 0.95;
  for (const auto& [x, level] : {std::pair{3.0F, Warning::kFine}, std::pair{0.0F, Warning::kAct}}) {
    StreamSession session(guarded_model(card), 0);
    session.answer_request(rows_at(x));
    EXPECT_FALSE(session.health().warning) << "too few rows";
    for (int i = 0; i < 5; ++i) session.answer_request(rows_at(x));
    EXPECT_EQ(session.health().warning, level);
    const auto point = session.close_point(1);
    ASSERT_TRUE(point);
    EXPECT_EQ(point->warning, level);
    EXPECT_EQ(point->chains, 0);
    EXPECT_EQ(point->guard->held_by, GuardTest::kZeta);
  }
  StreamSession without(guarded_model({}), 0);
  without.answer_request(rows_at(3));
  EXPECT_FALSE(without.health().warning);
  EXPECT_FALSE(without.close_point(1)->warning);
}

TEST(StreamSession, StartsASequenceAnewOnlyWhereItAdapts) {
  StreamSession session(guarded_model({}), 0);
  session.answer_request(rows_at(1));
  InferRequest request = rows_at(1);
  request.starts = true;
  request.adapt = false;
  EXPECT_EQ(session.answer_request(request).batch, 1);
  request.adapt = true;
  session.answer_request(rows_at(1));
  EXPECT_EQ(session.answer_request(request).batch, 1);
}

TEST(StreamSession, CountsTheAnswersItKeeps) {
  StreamSession session(model_of(2), 2);
  const std::int64_t before = session.bytes();
  session.keep_answer({.key = "a", .digest = 1, .json_length = -1, .body = std::string(1'000'000, ' ')});
  EXPECT_GE(session.bytes(), before + 1'000'000);
  session.keep_answer({.key = "b", .digest = 2, .json_length = -1, .body = ""});
  session.keep_answer({.key = "c", .digest = 3, .json_length = -1, .body = ""});
  EXPECT_LT(session.bytes(), before + 1'000);
}

}  // namespace
}  // namespace stad::serving
