#include "cluster/client/subscribe.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace stad::cluster {
namespace {

BatchResult result_of(const std::string& payload, std::vector<std::pair<std::string, std::string>> headers = {}) {
  nats_Open(-1);  // as a connection would: libnats stores its errors in memory that this allocates
  headers.emplace_back(kSequence, "7");
  return read_result(Delivery(wire_message({"stad.out.m.s", payload, headers})));
}

TEST(Result, IsReadAsJsonAndAsBytes) {
  const std::string json = R"({"outputs": [{"name": "label", "datatype": "INT64", "data": [1, 0]},
    {"name": "probabilities", "datatype": "FP32", "data": [0.25, 0.75, 0.5, 0.5]}]})";
  const std::string head = R"({"outputs": [
    {"name": "label", "datatype": "INT64", "parameters": {"binary_data_size": 16}},
    {"name": "source_label", "datatype": "INT64", "parameters": {"binary_data_size": 16}},
    {"name": "probabilities", "datatype": "FP32", "parameters": {"binary_data_size": 16}}]})";
  const std::vector<std::int64_t> labels{1, 0};
  const std::vector<float> probabilities{0.25F, 0.75F, 0.5F, 0.5F};
  const std::string label_bytes(reinterpret_cast<const char*>(labels.data()), 16);
  const std::string bytes =
      head + label_bytes + label_bytes + std::string(reinterpret_cast<const char*>(probabilities.data()), 16);
  for (const BatchResult& result : {result_of(json), result_of(bytes, {{kJsonLength, std::to_string(head.size())}})}) {
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.sequence, 7u);
    EXPECT_EQ(result.labels, labels);
    EXPECT_EQ(result.probabilities, probabilities);
  }
}

TEST(Result, ThatCannotBePutTogetherSaysSo) {
  EXPECT_NE(result_of(R"({"outputs": [{"name": "label", "datatype": "INT64", "data": [1]}]})").error, "");
  for (const char* payload : {"", "{", "[]", "{}", R"({"outputs": 3})", R"({"outputs": [{}]})",
                              R"({"outputs": [{"name": "label", "datatype": "INT64", "data": "x"}]})"})
    EXPECT_NE(result_of(payload).error, "") << payload;
  EXPECT_EQ(result_of("", {{kError, "why"}}).error, "why");
}

TEST(Result, OfAnotherProgramIsRefused) {
  nats_Open(-1);
  EXPECT_THROW(read_result(Delivery(wire_message({"stad.out.m.s", "{}", {}}))), AppError);
}

}  // namespace
}  // namespace stad::cluster
