// Every error names the field, the value and the rule.

#include <ostream>

#include <gtest/gtest.h>

#include "server/protocol/requests.hpp"

namespace stad::serving {
namespace {

struct Bad {
  Sent sent;
  std::string message;
};

std::ostream& operator<<(std::ostream& out, const Bad& bad) { return out << bad.message; }

Bad bad(std::string body, std::string message) { return {{std::move(body), {}}, std::move(message)}; }

/// One input with these members, and features' name.
Bad bad_features(const std::string& members, std::string message) {
  return bad(R"({"inputs":[{"name":"features",)" + members + "}]}", std::move(message));
}

Bad bad_data(const std::string& data, std::string message) {
  return bad_features(R"("shape":[2,3],"datatype":"FP32","data":)" + data, std::move(message));
}

Bad bad_shape(const std::string& shape, std::string message) {
  return bad_features(R"("datatype":"FP32","data":[1],"shape":)" + shape, std::move(message));
}

Bad bad_parameters(const std::string& parameters, std::string message) {
  return bad(with_features(R"("parameters":)" + parameters + ","), std::move(message));
}

Bad bad_outputs(const std::string& outputs, std::string message) {
  return bad(with_features(R"("outputs":)" + outputs + ","), std::move(message));
}

Bad bad_binary(const std::string& input, const std::string& bytes, std::string message) {
  return {binary_request(R"({"inputs":[{"name":"features",)" + input + "}]}", bytes), std::move(message)};
}

class BadRequest : public testing::TestWithParam<Bad> {};

TEST_P(BadRequest, IsRefusedWithTheReason) { EXPECT_EQ(error_of(GetParam().sent), GetParam().message); }

const std::string kFloatRule = "must be a number of float32's range, +-3.4028235e+38";

INSTANTIATE_TEST_SUITE_P(
    Json, BadRequest,
    testing::Values(bad("", "body is empty, must be a JSON object"),                                              //
                    bad("  ", "body is empty, must be a JSON object"), bad("[1]", "body must be a JSON object"),  //
                    bad("7", "body must be a JSON object"), bad("{}", "inputs must have one of name features"),
                    bad(R"({"inputs":[]})", "inputs must have one of name features"),
                    bad(R"({"inputs":{}})", "inputs is an object, must be an array"),
                    bad(R"({"inputs":[3]})", "inputs[0] is 3, must be an object"),
                    bad(with_features("") + " {}", "body has more at byte 78, after its JSON object"),
                    bad(with_features(R"("id":7,)"), "id is 7, must be a text"),
                    bad(with_features("\"id\":\"\xff\","), "body is not JSON: not UTF-8"),
                    bad(with_features(R"("x":"open,)"), "body is not JSON"),
                    bad(with_features(R"("x":nul,)"), "body is not JSON near byte 5"),
                    bad(with_features(R"("x":1e999,)"), "body is not JSON near byte 5"),
                    bad(with_features(R"("id":"\ud800",)"), R"(id is "\ud800", must be a text)"),
                    bad(with_features(R"("id":"a\u0000b",)"), R"(id is "a\u0000b", must have no control characters)"),
                    bad(with_features(R"("id":"a\u0085b",)"), R"(id is "a\u0085b", must have no control characters)"),
                    bad(with_features(R"("id":"a","id":"b",)"), "id is given twice, must be given once"),
                    bad(with_features(R"("x":[1,],)"), "body is not JSON near byte 8"),
                    bad(with_features(R"("x":[1}],)"), "body is not JSON near byte 7"),
                    bad(with_features(R"("x":)" + std::string(40, '[') + std::string(40, ']') + ","),
                        "body is nested too deep, must be at most 32 deep")));

INSTANTIATE_TEST_SUITE_P(
    Inputs, BadRequest,
    testing::Values(
        bad(R"({"inputs":[{"shape":[1,1],"datatype":"FP32","data":[1]}]})", "inputs[0].name is missing"),
        bad(R"({"inputs":[{"name":"pixels","shape":[1,1],"datatype":"FP32","data":[1]}]})",
            R"(inputs[0].name is "pixels", must be features, images or ids)"),
        bad(R"({"inputs":[{"name":"features","shape":[1,1],"datatype":"FP32","data":[1]},
                          {"name":"features","shape":[1,1],"datatype":"FP32","data":[1]}]})",
            R"(inputs[1].name is "features", which an input before it is)"),
        bad(R"({"inputs":[{"name":"features","shape":[1,1],"datatype":"FP32","data":[1]},
                          {"name":"ids","shape":[2],"datatype":"INT64","data":[1,2]}]})",
            "inputs: ids has 2 values, must have one for each of the 1 rows of features"),
        bad(R"({"inputs":[{"name":"ids","shape":[2],"datatype":"INT64","data":[1,2]}]})",
            "inputs must have one of name features"),
        bad(R"({"inputs":[{"name":"ids","shape":[1,1],"datatype":"INT64","data":[1]}]})",
            "inputs[0].shape is [1, 1], must be one count of at least 1"),
        bad(R"({"inputs":[{"name":"ids","shape":[1],"datatype":"FP32","data":[1]}]})",
            R"(inputs[0].datatype is "FP32", must be INT64 for ids)"),
        bad(R"({"inputs":[{"name":"ids","shape":[2],"datatype":"INT64","data":[1,2.5]}]})",
            "inputs[0].data[1] is 2.5, must be a whole number of 64 bits"),
        bad(R"({"inputs":[{"name":"ids","shape":[1],"datatype":"INT64","data":[9223372036854775808]}]})",
            "inputs[0].data[0] is 9223372036854775808, must be a whole number of 64 bits"),
        bad_features(R"("datatype":"FP32","data":[1])", "inputs[0].shape is missing"),
        bad_features(R"("shape":[1,1],"data":[1])", "inputs[0].datatype is missing"),
        bad_features(R"("shape":[1,1],"datatype":"FP32")",
                     "inputs[0].data is missing, and so is parameters.binary_data_size"),
        bad_features(
            R"("shape":[1,1],"datatype":"INT8","data":[1])",
            R"(inputs[0].datatype is "INT8", must be FP32, FP64 or FP16 for features and images, INT64 for ids)"),
        bad_features(R"("shape":[1,1],"datatype":"INT64","data":[1])",
                     R"(inputs[0].datatype is "INT64", must be FP32, FP64 or FP16 for features)"),
        bad_features(R"("shape":[1,1],"shape":[1,1],"datatype":"FP32","data":[1])",
                     "inputs[0].shape is given twice, must be given once"),
        bad_shape("[3, -1]", "inputs[0].shape is [3, -1], must be two counts of at least 1"),
        bad_shape("[0, 4]", "inputs[0].shape is [0, 4], must be two counts of at least 1"),
        bad_shape("[]", "inputs[0].shape is [], must be two counts of at least 1"),
        bad_shape("[4]", "inputs[0].shape is [4], must be two counts of at least 1"),
        bad_shape("[1, 3, 224, 224]", "inputs[0].shape is [1, 3, 224, 224], must be two counts of at least 1"),
        bad_shape("[1,1,1,1,1,1,1,1,1]", "inputs[0].shape has more than 8 counts, must be one or two"),
        bad_shape("[1, 2.5]", "inputs[0].shape[1] is 2.5, must be a count"),
        bad_shape("[1, 99999999999999999999]", "inputs[0].shape[1] is 99999999999999999999, must be a count"),
        bad_shape("7", "inputs[0].shape is 7, must be an array"),
        bad_shape("[65537, 1]", "inputs[0].shape is [65537, 1], must have at most 65536 rows"),
        bad_shape("[2, 9223372036854775807]",
                  "inputs[0].shape is [2, 9223372036854775807], must have at most 16777216 values"),
        bad_shape("[65536, 256]", "inputs[0].data is too short for the 16777216 values of shape [65536, 256]")));

INSTANTIATE_TEST_SUITE_P(
    Data, BadRequest,
    testing::Values(bad_data("7", "inputs[0].data is 7, must be an array"),
                    bad_data("[]", "inputs[0].data has 0 values, must have 6: the shape is [2, 3]"),
                    bad_data("[1,2,3,4,5]", "inputs[0].data has 5 values, must have 6: the shape is [2, 3]"),
                    bad_data("[1,2,3,4,5,6,7]", "inputs[0].data has 7 values, must have 6: the shape is [2, 3]"),
                    bad_data("[[1,2,3]]", "inputs[0].data has 1 rows, must have 2: the shape is [2, 3]"),
                    bad_data("[[1,2,3],[4,5,6],[7,8,9]]",
                             "inputs[0].data has 3 rows, must have 2: the shape is [2, 3]"),
                    bad_data("[[1,2,3],[4,5]]", "inputs[0].data[1] has 2 values, must have 3: the shape is [2, 3]"),
                    bad_data("[[1,2,3],4]", "inputs[0].data[1] is 4, must be an array"),
                    bad_data("[1,2,3,[4,5,6]]", "inputs[0].data row 1 column 0 is an array, " + kFloatRule),
                    bad_data("[[1,2,[3]],[4,5,6]]", "inputs[0].data row 0 column 2 is an array, " + kFloatRule),
                    bad_data("[1,2,3,4,NaN,6]", "inputs[0].data row 1 column 1 is NaN, " + kFloatRule),
                    bad_data("[1,2,3,4,-Infinity,6]", "inputs[0].data row 1 column 1 is -Infinity, " + kFloatRule),
                    bad_data("[1,2,3,4,null,6]", "inputs[0].data row 1 column 1 is null, " + kFloatRule),
                    bad_data(R"([1,2,3,4,5,"6"])", R"(inputs[0].data row 1 column 2 is "6", )" + kFloatRule),
                    bad_data("[1,2,3,4,5,01]", "inputs[0].data row 1 column 2 is 01, " + kFloatRule),
                    bad_data("[1,2,1e39,4,5,6]", "inputs[0].data row 0 column 2 is 1e39, " + kFloatRule),
                    bad_data("[1,2,-1e999,4,5,6]", "inputs[0].data row 0 column 2 is -1e999, " + kFloatRule),
                    bad_data("[1,2,3,4,5," + std::string(100, '9') + "]",
                             "inputs[0].data row 1 column 2 is " + std::string(60, '9') + "..., " + kFloatRule),
                    bad_data("[1,2,3,4,5,0." + std::string(1100, '1') + "]",
                             "inputs[0].data row 1 column 2 is 0." + std::string(58, '1') +
                                 "..., must have at most 1024 characters"),
                    bad_data("[1,2,3,4,5,]", "inputs[0].data row 1 column 2 is ], " + kFloatRule),
                    bad_data("[1 2,3,4,5,6]", "body is not JSON near byte 72")));

INSTANTIATE_TEST_SUITE_P(
    Parameters, BadRequest,
    testing::Values(
        bad_parameters("[]", "parameters is an array, must be an object"),
        bad_parameters(R"({"sequence_id":-1})",
                       "parameters.sequence_id is -1, must be a text or a whole number from 0 to 18446744073709551615"),
        bad_parameters(R"({"sequence_id":18446744073709551616})",
                       "parameters.sequence_id is 18446744073709551616, must be a text or a whole number from 0 to "
                       "18446744073709551615"),
        bad_parameters(
            R"({"sequence_id":1.5})",
            "parameters.sequence_id is 1.5, must be a text or a whole number from 0 to 18446744073709551615"),
        bad_parameters(
            R"({"sequence_id":null})",
            "parameters.sequence_id is null, must be a text or a whole number from 0 to 18446744073709551615"),
        bad_parameters(R"({"sequence_id":")" + std::string(257, 'x') + "\"}",
                       "parameters.sequence_id has 257 bytes, must have at most 256"),
        bad_parameters(R"({"sequence_id":"a\nb"})",
                       R"(parameters.sequence_id is "a\nb", must have no control characters)"),
        bad_parameters(R"({"sequence_id":"-"})",
                       R"(parameters.sequence_id is "-", which is reserved for the default stream in URLs)"),
        bad_parameters(R"({"sequence_start":1})", "parameters.sequence_start is 1, must be true or false"),
        bad_parameters(R"({"sequence_end":"true"})", R"(parameters.sequence_end is "true", must be true or false)"),
        bad_parameters(R"({"adapt":null})", "parameters.adapt is null, must be true or false"),
        bad_parameters(R"({"adapt":true,"adapt":false})", "parameters.adapt is given twice, must be given once"),
        bad_parameters(R"({"adapt":yes})", "parameters.adapt is yes, must be true or false"),
        bad_parameters(R"({"time":"now"})", R"(parameters.time is "now", must be a number)"),
        bad_parameters(R"({"time":1e999})", "parameters.time is 1e999, must be a number"),
        bad_parameters(R"({"binary_data_output":0})", "parameters.binary_data_output is 0, must be true or false")));

INSTANTIATE_TEST_SUITE_P(
    Outputs, BadRequest,
    testing::Values(
        bad_outputs(R"({})", "outputs is an object, must be an array"),
        bad_outputs(R"(["label"])", R"(outputs[0] is "label", must be an object)"),
        bad_outputs(R"([{}])", "outputs[0].name is missing"),
        bad_outputs(R"([{"name":"logits"}])",
                    R"(outputs[0].name is "logits", must be label, probabilities, source_label or adapted_label)"),
        bad_outputs(R"([{"name":"label"},{"name":"label"}])",
                    R"(outputs[1].name is "label", which an output before it is)"),
        bad_outputs(R"([{"name":"label","parameters":{"binary_data":1}}])",
                    "outputs[0].parameters.binary_data is 1, must be true or false"),
        bad_outputs(R"([{"name":"probabilities","parameters":{"classification":0}}])",
                    "outputs[0].parameters.classification is 0, must be a number of classes from 1 to 1000000"),
        bad_outputs(R"([{"name":"probabilities","parameters":{"classification":"2"}}])",
                    R"(outputs[0].parameters.classification is "2", must be a number of classes from 1 to 1000000)"),
        bad_outputs(R"([{"name":"label","parameters":{"classification":2}}])",
                    "outputs[0].parameters.classification is given for label, must be for probabilities")));

INSTANTIATE_TEST_SUITE_P(
    Binary, BadRequest,
    testing::Values(
        Bad{{with_features(""), 1000},
            "Inference-Header-Content-Length is 1000, must be at most the 77 bytes of the body"},
        bad_features(R"("shape":[1,1],"datatype":"FP32","parameters":{"binary_data_size":4})",
                     "inputs[0].parameters.binary_data_size is 4, but there is no Inference-Header-Content-Length"),
        bad_binary(R"("shape":[1,2],"datatype":"FP32","parameters":{"binary_data_size":4})", "abcd",
                   "inputs[0].parameters.binary_data_size is 4, must be 8: the shape is [1, 2] of FP32"),
        bad_binary(R"("shape":[1,2],"datatype":"FP32","parameters":{"binary_data_size":-8})", "abcdefgh",
                   "inputs[0].parameters.binary_data_size is -8, must be 8: the shape is [1, 2] of FP32"),
        bad_binary(R"("shape":[1,2],"datatype":"FP32","parameters":{"binary_data_size":"8"})", "abcdefgh",
                   R"(inputs[0].parameters.binary_data_size is "8", must be a whole number of 64 bits)"),
        bad_binary(R"("shape":[1,2],"datatype":"FP32","parameters":{"binary_data_size":8})", "abcd",
                   "inputs[0].parameters.binary_data_size is 8, but 4 bytes are left in the body"),
        bad_binary(R"("shape":[1,2],"datatype":"FP32","parameters":{"binary_data_size":8})", "abcdefghi",
                   "body has 1 bytes after its last tensor, must have none"),
        bad_binary(R"("shape":[1,1],"datatype":"FP32","data":[1],"parameters":{"binary_data_size":4})", "abcd",
                   "inputs[0].data is given beside parameters.binary_data_size, must be one of them"),
        bad_binary(R"("shape":[65536,256],"datatype":"FP64","parameters":{"binary_data_size":134217728})", "abcd",
                   "inputs[0].parameters.binary_data_size is 134217728, but 4 bytes are left in the body"),
        bad_binary(R"("shape":[2,2],"datatype":"FP64","parameters":{"binary_data_size":32})",
                   bytes_of_values<double>({1, 2, 3, -1e300}), "inputs[0] row 1 column 1 is -1e+300, " + kFloatRule)));

TEST(TensorLimits, AreRefusedAsTooLarge) {
  for (const TensorLimits limits : {TensorLimits{.rows = 1, .values = 100}, TensorLimits{.rows = 100, .values = 3}}) {
    try {
      read({R"({"inputs":[{"name":"features","shape":[2,2],"datatype":"FP32","data":[1,2,3,4]}]})", {}}, limits);
      FAIL();
    } catch (const AppError& failure) {
      EXPECT_EQ(http_status(failure), 413);
    }
  }
}

}  // namespace
}  // namespace stad::serving
