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
