#include "cluster/client/publish.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "serving/protocol/infer_request.hpp"

namespace stad::cluster {
namespace {

std::string header_of(const NatsMessage& message, std::string_view name) {
  const auto found = std::ranges::find(message.headers, name, [](const auto& header) { return header.first; });
  return found == message.headers.end() ? "" : found->second;
}

TEST(InputMessage, IsARequestThatTheServiceWouldRead) {
  Matrix features;
  features.resize(3, 2);
  for (Index i = 0; i < features.size(); ++i) features.data()[i] = 0.1f * static_cast<float>(i);
  const NatsMessage message = input_message({"m", "s"}, features.view(), 0.1, "run-1");
  const auto request = serving::read_infer_request(message.payload, std::stoul(header_of(message, kJsonLength)), {});
  EXPECT_TRUE(std::ranges::equal(std::span(request.features.data(), 6), std::span(features.data(), 6)));
  EXPECT_EQ(request.time, 0.1);
  EXPECT_TRUE(request.probabilities.binary);
  EXPECT_EQ(header_of(message, kShape), "3x2");
  EXPECT_EQ(header_of(message, kMessageId), "run-1");
  EXPECT_EQ(message.subject, "stad.in.m.s");
}

TEST(InputMessage, FitsTheServersWithAsManyRowsAsIsSaid) {
  for (const std::size_t limit : {20'000u, 1'048'576u}) {
    Matrix features;
    features.resize(rows_that_fit(limit, 100), 100);
    const NatsMessage message = input_message({"m", "s"}, features.view(), std::nullopt, "x");
    EXPECT_LT(message.payload.size() + 4096, limit);
    EXPECT_GT(message.payload.size() + 9000, limit);
  }
  EXPECT_EQ(rows_that_fit(4096, 1), 0);
}

}  // namespace
}  // namespace stad::cluster
