#include "serving/protocol/infer_response.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "server/protocol/requests.hpp"

namespace stad::serving {
namespace {

InferAnswer answer_of_two_rows() {
  InferAnswer answer;
  answer.labels = {2, 0};
  answer.probabilities = Matrix(2, 3);
  const std::vector<float> values{0.1F, 0.2F, 0.7F, 1, 0, 1e-9F};
  std::copy(values.begin(), values.end(), answer.probabilities.data());
  answer.source_labels = {1, std::numeric_limits<std::int64_t>::max()};
  answer.adapted_labels = {2, std::numeric_limits<std::int64_t>::min()};
  answer.batch = 12;
  answer.mode = "active";
  return answer;
}

TEST(InferResponse, SaysLabelsAndProbabilitiesAsJson) {
  InferRequest request;
  request.id = "r-1";
  request.stream = "camera 7";
  const auto response = write_infer_response("digits", request, answer_of_two_rows());
  EXPECT_FALSE(response.json_length);
  EXPECT_EQ(response.body,
            R"({"model_name":"digits","model_version":"1","id":"r-1",)"
            R"("parameters":{"sequence_id":"camera 7","batch":12,"mode":"active"},"outputs":[)"
            R"({"name":"label","datatype":"INT64","shape":[2],"data":[2,0]},)"
            R"({"name":"probabilities","datatype":"FP32","shape":[2,3],"data":[0.1,0.2,0.7,1,0,1e-09]}]})");
}

TEST(InferResponse, PutsBinaryTensorsBehindTheJsonInTheOrderOfTheOutputs) {
  InferRequest request;
  request.label.binary = true;
  request.probabilities = {};
  request.source_label = {.wanted = true, .binary = false};
  request.adapted_label = {.wanted = true, .binary = true};
  const auto answer = answer_of_two_rows();
  const auto response = write_infer_response("digits", request, answer);
  ASSERT_TRUE(response.json_length);
  EXPECT_EQ(response.body.substr(0, *response.json_length),
            R"({"model_name":"digits","model_version":"1",)"
            R"("parameters":{"sequence_id":"","batch":12,"mode":"active"},"outputs":[)"
            R"({"name":"label","datatype":"INT64","shape":[2],"parameters":{"binary_data_size":16}},)"
            R"({"name":"source_label","datatype":"INT64","shape":[2],"data":[1,9223372036854775807]},)"
            R"({"name":"adapted_label","datatype":"INT64","shape":[2],"parameters":{"binary_data_size":16}}]})");
  EXPECT_EQ(response.body.substr(*response.json_length),
            bytes_of_values(answer.labels) + bytes_of_values(answer.adapted_labels));
}

TEST(InferResponse, AnswersANumericSequenceIdAsANumber) {
  InferRequest request;
  request.stream = "18446744073709551615";
  request.stream_is_number = true;
  const auto answer = answer_of_two_rows();
  EXPECT_NE(write_infer_response("m", request, answer).body.find(R"("sequence_id":18446744073709551615,)"),
            std::string::npos);
  request.stream = "";
  EXPECT_NE(write_infer_response("m", request, answer).body.find(R"("sequence_id":0,)"), std::string::npos);
}

TEST(InferResponse, ClassificationNamesTheMostProbableClasses) {
  InferRequest request;
  request.label = {};
  request.probabilities.top_classes = 2;
  InferAnswer answer = answer_of_two_rows();
  const std::vector<std::string> names{"cat", "dog", "a\"b"};
  EXPECT_NE(write_infer_response("m", request, answer)
                .body.find(R"("datatype":"BYTES","shape":[2,2],"data":["0.700000:2","0.200000:1",)"),
            std::string::npos);
  answer.class_names = names;
  request.probabilities.top_classes = 9;
  const auto body = nlohmann::json::parse(write_infer_response("m", request, answer).body);
  EXPECT_EQ(body["outputs"][0]["shape"], nlohmann::json({2, 3}));
  EXPECT_EQ(body["outputs"][0]["data"][0], "0.700000:2:a\"b");
  request.probabilities = {.wanted = true, .binary = true, .top_classes = 1};
  const auto binary = write_infer_response("m", request, answer);
  using namespace std::string_literals;
  EXPECT_EQ(binary.body.substr(*binary.json_length),
            "\x0e\0\0\0"
            "0.700000:2:a\"b\x0e\0\0\0"
            "1.000000:0:cat"s);
}

TEST(InferResponse, EscapesNames) {
  InferRequest request;
  request.id = "tab\t\"quote\" back\\slash \x01 caf\u00e9";
  request.stream = "line\nbreak";
  const auto body = nlohmann::json::parse(write_infer_response("a\"b", request, answer_of_two_rows()).body);
  EXPECT_EQ(body["model_name"], "a\"b");
  EXPECT_EQ(body["id"], request.id);
  EXPECT_EQ(body["parameters"]["sequence_id"], request.stream);
}

TEST(InferResponse, WritesFloatsThatReadBackAsTheSameBits) {
  Random random(3);
  InferRequest request;
  request.label = {};
  InferAnswer answer;
  answer.labels.resize(64);
  answer.probabilities = Matrix(64, 64);
  for (Index i = 0; i < answer.probabilities.size(); ++i)
    answer.probabilities.data()[i] = static_cast<float>(random.normal() * std::pow(10.0, 10 * random.normal()));
  const auto body = nlohmann::json::parse(write_infer_response("m", request, answer).body);
  EXPECT_EQ(body["outputs"][0]["data"].get<std::vector<float>>(), values_of(answer.probabilities));
}

TEST(InferResponse, StaysJsonWhereAValueIsNotFinite) {
  auto answer = answer_of_two_rows();
  answer.probabilities(0, 1) = NAN;
  answer.probabilities(1, 0) = INFINITY;
  const auto body = nlohmann::json::parse(write_infer_response("m", InferRequest(), answer).body);
  EXPECT_TRUE(body["outputs"][1]["data"][1].is_null());
  EXPECT_TRUE(body["outputs"][1]["data"][3].is_null());
}

}  // namespace
}  // namespace stad::serving
