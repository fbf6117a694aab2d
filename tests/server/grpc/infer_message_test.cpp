// A request means the same over gRPC as over REST, and an answer has the same values.

#include "server/grpc/infer_message.hpp"

#include <cmath>
#include <limits>

#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>
#include <open_inference.pb.h>

#include "base/random.hpp"
#include "server/grpc/status.hpp"
#include "server/protocol/requests.hpp"

namespace stad::server {
namespace {

using inference::ModelInferRequest;

ModelInferRequest message_of(const std::string& datatype, std::vector<std::int64_t> shape, const std::string& bytes) {
  ModelInferRequest message;
  auto& input = *message.add_inputs();
  input.set_name("features");
  input.set_datatype(datatype);
  for (const auto count : shape) input.add_shape(count);
  message.add_raw_input_contents(bytes);
  return message;
}

ModelInferRequest valid() { return message_of("FP32", {2, 2}, bytes_of_values<float>({1, -2, 0.5F, 4})); }

std::string error_of(const ModelInferRequest& message, const TensorLimits& limits = {}) {
  try {
    request_from(message, limits);
  } catch (const AppError& failure) {
    return failure.error.message;
  }
  return "accepted";
}

TEST(GrpcRequest, HasTheDigestOfTheSameRequestOverRest) {
  ModelInferRequest message = valid();
  message.set_id("r-1");
  (*message.mutable_parameters())["sequence_id"].set_int64_param(7);
  (*message.mutable_parameters())["time"].set_double_param(12.5);
  (*message.mutable_parameters())["adapt"].set_bool_param(false);
  message.add_outputs()->set_name("source_label");
  const auto sent = binary_request(
      R"({"id":"r-1","parameters":{"sequence_id":7,"time":12.5,"adapt":false,"binary_data_output":true},
          "inputs":[{"name":"features","shape":[2,2],"datatype":"FP32","parameters":{"binary_data_size":16}}],
          "outputs":[{"name":"source_label"}]})",
      message.raw_input_contents(0));
  const InferRequest rest = read(sent);
  const InferRequest request = request_from(message, {});
  EXPECT_EQ(digest_of(request), digest_of(rest));
  EXPECT_EQ(request.id, rest.id);
  EXPECT_EQ(request.stream, rest.stream);
}

TEST(GrpcRequest, TakesEveryDatatypeAndForm) {
  const std::vector<float> expected{1, -2, 0.5F, 4};
  EXPECT_EQ(values_of(request_from(valid(), {}).features), expected);
  const auto doubles = message_of("FP64", {2, 2}, bytes_of_values<double>({1, -2, 0.5, 4}));
  EXPECT_EQ(values_of(request_from(doubles, {}).features), expected);
  const auto halves = message_of("FP16", {2, 2}, bytes_of_values<std::uint16_t>({0x3c00, 0xc000, 0x3800, 0x4400}));
  EXPECT_EQ(values_of(request_from(halves, {}).features), expected);
  ModelInferRequest typed = valid();
  typed.clear_raw_input_contents();
  for (const float value : expected) typed.mutable_inputs(0)->mutable_contents()->add_fp32_contents(value);
  auto& ids = *typed.add_inputs();
  ids.set_name("ids");
  ids.set_datatype("INT64");
  ids.add_shape(2);
  for (const std::int64_t id : {7, -9}) ids.mutable_contents()->add_int64_contents(id);
  const InferRequest request = request_from(typed, {});
  EXPECT_EQ(values_of(request.features), expected);
  EXPECT_EQ(request.row_ids, (std::vector<std::int64_t>{7, -9}));
}

TEST(GrpcRequest, IsRejectedWithTheReason) {
  EXPECT_EQ(error_of(ModelInferRequest()), "inputs must have one of name features");
  ModelInferRequest twice = valid();
  *twice.add_inputs() = twice.inputs(0);
  twice.add_raw_input_contents(twice.raw_input_contents(0));
  EXPECT_EQ(error_of(twice), "inputs[1].name is \"features\", which an input before it is");
  EXPECT_EQ(error_of(message_of("", {2, 2}, "")), "inputs[0].datatype is missing");
  EXPECT_EQ(error_of(message_of("FP32", {}, "")), "inputs[0].shape is missing");
  EXPECT_EQ(error_of(message_of("FP32", {1, 1, 1, 1, 1, 1, 1, 1, 1}, "")),
            "inputs[0].shape has more than 8 counts, must be one or two");
  EXPECT_EQ(error_of(message_of("FP32", {3, 2}, ""), {.rows = 2}),
            "inputs[0].shape is [3, 2], must have at most 2 rows");
  EXPECT_EQ(error_of(message_of("FP64", {1, 2}, bytes_of_values<double>({1, 1e300}))),
            "inputs[0] row 0 column 1 is 1e+300, must be a number of float32's range, +-3.4028235e+38");
  ModelInferRequest timed = valid();
  (*timed.mutable_parameters())["time"].set_double_param(std::numeric_limits<double>::infinity());
  EXPECT_EQ(error_of(timed), "parameters.time is inf, must be a number");
  ModelInferRequest control = valid();
  control.set_id("a\nb");
  EXPECT_EQ(error_of(control), "id is \"a?b\", must have no control characters");
}

TEST(GrpcRequest, IsConsistentOrRejectedWhereBytesAreChanged) {
  const std::string bytes = valid().SerializeAsString();
  const google::protobuf::LogSilencer silencer;
  Random random(5);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = bytes;
    for (std::uint64_t flip = 0; flip <= random.below(3); ++flip)
      changed[random.below(changed.size())] ^= static_cast<char>(1U << random.below(8));
    ModelInferRequest message;
    if (!message.ParseFromString(changed)) continue;
    try {
      const InferRequest request = request_from(message, {});
      EXPECT_GT(request.features.size(), 0);
    } catch (const AppError& failure) {
      EXPECT_TRUE(http_status(failure) == 400 || http_status(failure) == 413);
    }
  }
}

TEST(GrpcResponse, HasTheRequestedOutputsAsRawContents) {
  ModelInferRequest message = valid();
  message.add_outputs()->set_name("probabilities");
  InferAnswer answer;
  answer.labels = {1, 0};
  answer.probabilities = Matrix(2, 2);
  for (int i = 0; i < 4; ++i) answer.probabilities.data()[i] = 0.25F * static_cast<float>(i);
  answer.mode = "active";
  const auto response = write_grpc_response("m", request_from(message, {}), answer);
  inference::ModelInferResponse read_back;
  ASSERT_TRUE(read_back.ParseFromString(response.body));
  ASSERT_EQ(read_back.outputs_size(), 1);
  EXPECT_EQ(read_back.outputs(0).name(), "probabilities");
  EXPECT_EQ(read_back.outputs(0).shape_size(), 2);
  EXPECT_EQ(read_back.raw_output_contents(0), bytes_of_values<float>({0, 0.25F, 0.5F, 0.75F}));
  inference::ModelStreamInferResponse wrapped;
  ASSERT_TRUE(wrapped.ParseFromString(stream_response(response.body)));
  EXPECT_EQ(wrapped.infer_response().SerializeAsString().size(), response.body.size());
}

TEST(GrpcStatus, MapsEveryStatusAndBoundsTheMessage) {
  EXPECT_TRUE(grpc_status(200, "").ok());
  EXPECT_EQ(grpc_status(401, "").error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(grpc_status(418, "").error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(grpc_status(599, "").error_code(), grpc::StatusCode::INTERNAL);
  const std::string euros = "\xe2\x82\xac";
  std::string text;
  for (int i = 0; i < 1000; ++i) text += euros;
  EXPECT_EQ(trailer_text(text).size(), 1023U);  // whole characters
}

}  // namespace
}  // namespace stad::server
