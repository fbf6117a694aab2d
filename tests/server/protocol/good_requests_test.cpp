#include <cmath>
#include <limits>
#include <ostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "server/protocol/requests.hpp"

namespace stad::serving {
namespace {

struct Good {
  const char* name;
  Sent sent;
  Index rows;
  std::vector<float> values;
  std::vector<std::int64_t> ids = {};
};

std::ostream& operator<<(std::ostream& out, const Good& good) { return out << good.name; }

class GoodRequest : public testing::TestWithParam<Good> {};

TEST_P(GoodRequest, IsRead) {
  const Good& good = GetParam();
  const auto request = read(good.sent);
  EXPECT_EQ(request.features.rows(), good.rows);
  EXPECT_EQ(request.features.cols() * good.rows, static_cast<Index>(good.values.size()));
  EXPECT_EQ(values_of(request.features), good.values);
  EXPECT_EQ(request.row_ids, good.ids);
}

const std::string kFloats = bytes_of_values<float>({1, -2, 0.5F, 4});
const std::string kDoubles = bytes_of_values<double>({1, -2, 0.5, 4});
const std::string kHalves = bytes_of_values<std::uint16_t>({0x3c00, 0xc000, 0x3800, 0x4400});
const std::string kIds = bytes_of_values<std::int64_t>({7, -9});
const std::vector<float> kFour{1, -2, 0.5F, 4};

INSTANTIATE_TEST_SUITE_P(
    Json, GoodRequest,
    testing::Values(
        Good{"flat",
             {R"({"inputs":[{"name":"features","shape":[2,2],"datatype":"FP32","data":[1,-2,0.5,4]}]})", {}},
             2,
             kFour},
        Good{"nested",
             {R"({"inputs":[{"name":"features","shape":[2,2],"datatype":"FP32","data":[[1,-2],[0.5,4.0]]}]})", {}},
             2,
             kFour},
        Good{"one_nested_row",
             {R"({"inputs":[{"name":"features","shape":[1,4],"datatype":"FP32","data":[[1,-2,5e-1,4]]}]})", {}},
             1,
             kFour},
        Good{"doubles",
             {R"({"inputs":[{"name":"features","shape":[2,2],"datatype":"FP64","data":[1,-2,0.5,4]}]})", {}},
             2,
             kFour},
        Good{"halves",
             {R"({"inputs":[{"name":"features","shape":[2,2],"datatype":"FP16","data":[1,-2,0.5,4]}]})", {}},
             2,
             kFour},
        Good{"data_first",
             {R"({"inputs":[{"data":[[1,-2],[0.5,4]],"datatype":"FP32","shape":[2,2],"name":"features"}]})", {}},
             2,
             kFour},
        Good{"data_in_the_middle",
             {R"({"inputs":[{"name":"features","data":[1,-2,0.5,4],"parameters":{},"shape":[2,2],"datatype":"FP32"}]})",
              {}},
             2,
             kFour},
        Good{"an_escaped_name_of_data_first",
             {R"({"inputs":[{"\u0064ata":[1,-2,0.5,4],"datatype":"FP32","shape":[2,2],"name":"features"}]})", {}},
             2,
             kFour},
        Good{
            "ids_before_features",
            {R"({"inputs":[{"data":[9223372036854775807,-9223372036854775808],"name":"ids","shape":[2],"datatype":"INT64"},
                 {"name":"features","shape":[2,2],"datatype":"FP32","data":[1,-2,0.5,4]}]})",
             {}},
            2,
            kFour,
            {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}},
        Good{"unknown_members",
             {R"({"model_name":"m","x":{"a":[1,{"b":null}],"c":"\n"},"inputs":[{"y":[true,false],"name":"features",
                 "shape":[2,2],"datatype":"FP32","data":[1,-2,0.5,4]}],"outputs":[]})",
              {}},
             2,
             kFour},
        Good{"longer_than_what_a_thread_keeps",
             {R"({"x":")" + std::string(5 << 20, 'x') +
                  R"(","inputs":[{"name":"features","shape":[2,2],"datatype":"FP32","data":[1,-2,0.5,4]}]})",
              {}},
             2,
             kFour},
        Good{"the_ends_of_float32",
             {R"({"inputs":[{"name":"features","shape":[1,4],"datatype":"FP32",
                 "data":[3.4028235e38,-3.4028235677973362e+38,1e-45,123456789012345678901234567890]}]})",
              {}},
             1,
             {std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest(),
              std::numeric_limits<float>::denorm_min(), 123456789012345678901234567890.0F}}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Binary, GoodRequest,
    testing::Values(
        Good{"floats",
             binary_request(R"({"inputs":[{"name":"features","shape":[2,2],"datatype":"FP32",
                               "parameters":{"binary_data_size":16}}]})",
                            kFloats),
             2, kFour},
        Good{"doubles",
             binary_request(R"({"inputs":[{"name":"features","shape":[2,2],"datatype":"FP64",
                               "parameters":{"binary_data_size":32}}]})",
                            kDoubles),
             2, kFour},
        Good{"halves",
             binary_request(R"({"inputs":[{"parameters":{"binary_data_size":8},"name":"features","shape":[2,2],
                               "datatype":"FP16"}]})",
                            kHalves),
             2, kFour},
        Good{"tensors_in_the_order_of_the_inputs",
             binary_request(
                 R"({"inputs":[{"name":"ids","shape":[2],"datatype":"INT64","parameters":{"binary_data_size":16}},
                               {"name":"features","shape":[2,2],"datatype":"FP32","parameters":{"binary_data_size":16}}]})",
                 kIds + kFloats),
             2,
             kFour,
             {7, -9}},
        Good{"bytes_beside_json",
             binary_request(
                 R"({"inputs":[{"name":"features","shape":[2,2],"datatype":"FP32","parameters":{"binary_data_size":16}},
                               {"name":"ids","shape":[2],"datatype":"INT64","data":[7,-9]}]})",
                 kFloats),
             2,
             kFour,
             {7, -9}},
        Good{"a_length_without_bytes",
             binary_request(R"({"inputs":[{"name":"features","shape":[2,2],"datatype":"FP32","data":[1,-2,0.5,4]}]})",
                            ""),
             2, kFour}),
    [](const auto& one) { return one.param.name; });

TEST(InferRequest, HasDefaultsForEverythingThatWasNotSaid) {
  const auto request = read(with_features(""));
  EXPECT_EQ(request.id, "");
  EXPECT_EQ(request.stream, "");
  EXPECT_FALSE(request.starts || request.ends);
  EXPECT_TRUE(request.adapt);
  EXPECT_FALSE(request.time);
  EXPECT_TRUE(request.label.wanted && request.probabilities.wanted);
  EXPECT_FALSE(request.source_label.wanted || request.adapted_label.wanted);
  EXPECT_FALSE(request.label.binary || request.probabilities.binary);
}

TEST(InferRequest, ReadsParametersAndIgnoresUnknownOnes) {
  const auto request = read(with_features(
      R"("id":"a\"b\u00e4","parameters":{"sequence_id":"camera 7","sequence_start":true,"sequence_end":true,"adapt":false,
         "time":-1.5,"priority":3,"timeout":{"x":[1]}},)"));
  EXPECT_EQ(request.id, "a\"b\u00e4");
  EXPECT_EQ(request.stream, "camera 7");
  EXPECT_TRUE(request.starts && request.ends);
  EXPECT_FALSE(request.adapt);
  EXPECT_EQ(request.time, -1.5);
}

TEST(InferRequest, TakesANumberForTheNameOfAStream) {
  const auto stream = [](const std::string& id) {
    return read(with_features(R"("parameters":{"sequence_id":)" + id + "},")).stream;
  };
  EXPECT_EQ(stream("7"), stream("\"7\""));
  EXPECT_EQ(stream("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(stream("0"), "");
  EXPECT_EQ(stream("\"\""), "");
  EXPECT_EQ(stream('"' + std::string(256, 'x') + '"'), std::string(256, 'x'));
}

TEST(InferRequest, LetsAnOutputOverruleHowAllOfThemTravel) {
  const auto request = read(with_features(
      R"("outputs":[{"name":"source_label"},{"parameters":{"binary_data":false,"unknown":3},"name":"label"}],
         "parameters":{"binary_data_output":true},)"));
  EXPECT_TRUE(request.source_label.wanted && request.source_label.binary);
  EXPECT_TRUE(request.label.wanted);
  EXPECT_FALSE(request.label.binary);
  EXPECT_FALSE(request.probabilities.wanted);
}

TEST(InferRequest, TakesAnEmptyListOfOutputsForTheDefaultOnes) {
  const auto request = read(with_features(R"("parameters":{"binary_data_output":true},"outputs":[],)"));
  EXPECT_TRUE(request.label.wanted && request.label.binary);
  EXPECT_TRUE(request.probabilities.wanted && request.probabilities.binary);
  EXPECT_FALSE(request.source_label.wanted);
}

TEST(InferRequest, LeavesNumbersThatAreNotFiniteToTheLibrary) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [datatype, bytes] : {std::pair{"FP16", bytes_of_values<std::uint16_t>({0x7c00, 0xfc00, 0x7e00})},
                                        std::pair{"FP32", bytes_of_values<float>({INFINITY, -INFINITY, NAN})},
                                        std::pair{"FP64", bytes_of_values<double>({infinity, -infinity, NAN})}}) {
    const auto request =
        read(binary_request(std::string(R"({"inputs":[{"name":"features","shape":[1,3],"datatype":")") + datatype +
                                R"(","parameters":{"binary_data_size":)" + std::to_string(bytes.size()) + "}}]}",
                            bytes));
    EXPECT_EQ(request.features(0, 0), INFINITY) << datatype;
    EXPECT_EQ(request.features(0, 1), -INFINITY) << datatype;
    EXPECT_TRUE(std::isnan(request.features(0, 2))) << datatype;
  }
}

TEST(InferRequest, ReadsRandomFloatsBackFromTheirShortestText) {
  Random random(5);
  std::vector<float> expected;
  std::string data;
  for (int i = 0; i < 4096; ++i) {
    expected.push_back(static_cast<float>(random.normal() * std::pow(10.0, 30 * random.normal() / 4)));
    data += fmt::format("{}{}", i == 0 ? "" : ",", expected.back());
  }
  const auto request =
      read(R"({"inputs":[{"name":"features","shape":[64,64],"datatype":"FP32","data":[)" + data + "]}]}");
  EXPECT_EQ(values_of(request.features), expected);
}

}  // namespace
}  // namespace stad::serving
