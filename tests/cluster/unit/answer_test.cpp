#include "cluster/worker/answer.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace stad::cluster {
namespace {

constexpr std::size_t kMaxBytes = 1000;  // bytes of a payload

Delivery delivery_of(const std::string& payload, const std::vector<std::pair<std::string, std::string>>& headers) {
  nats_Open(-1);  // as a connection would: libnats stores its errors in memory that this allocates
  return Delivery(wire_message({"stad.partition.0.m.s", payload, headers}));
}

std::string header(const NatsMessage& message, std::string_view name) {
  const auto found = std::ranges::find(message.headers, name, [](const auto& header) { return header.first; });
  return found == message.headers.end() ? "" : found->second;
}

bool is_replied_to(const std::string& subject) {
  return reply_to(delivery_of("", {{kReply, subject}}), {"stad.out.m.s", "", {}}).has_value();
}

TEST(Reply, GoesToAnInboxAndNowhereElse) {
  EXPECT_TRUE(is_replied_to("_INBOX.aZ09_-.answer.7"));
  EXPECT_TRUE(is_replied_to("_INBOX." + std::string(249, 'a')));
  for (const std::string& subject :
       {std::string("$KV.stad_ownership.partition.0"), std::string("_INBOX"), std::string("_INBOX."),
        std::string("_INBOX.a b c"), std::string("_INBOX.a\tb"), std::string("_INBOX.*"), std::string("_INBOX.a..b"),
        std::string("_INBOX.caf\xc3\xa9"), "_INBOX." + std::string(250, 'a'), "_INBOX." + std::string(5000, 'a')})
    EXPECT_FALSE(is_replied_to(subject)) << subject;
  EXPECT_FALSE(reply_to(delivery_of("", {}), {"stad.out.m.s", "", {}}).has_value());
}

TEST(Rejected, ShortensTextOfTheClient) {
  const std::string text(100'000, 'x');
  const auto delivery = delivery_of("p", {{kMessageId, text}, {kTime, text}, {kJsonLength, text}});
  const ProcessedMessage answered = rejected({"m", "s"}, delivery, http_error(400, text), kMaxBytes);
  for (const NatsMessage& message : {answered.result, *answered.dead}) EXPECT_LT(header_bytes(message), 4096u);
  EXPECT_EQ(header(answered.result, kError).size(), 515u);
  EXPECT_EQ(answered.reason, header(answered.result, kError));
}

TEST(Rejected, CutsBetweenCharacters) {
  const ProcessedMessage answered =
      rejected({"m", "s"}, delivery_of("", {}), http_error(400, std::string(511, 'x') + "\xc3\xa9"), kMaxBytes);
  EXPECT_EQ(header(answered.result, kError), std::string(511, 'x') + "...");
}

TEST(Rejected, OmitsAPayloadThatDoesNotFitWithANote) {
  const ProcessedMessage whole =
      rejected({"m", "s"}, delivery_of(std::string(1000, 'p'), {}), http_error(400, "why"), kMaxBytes);
  EXPECT_EQ(whole.dead->payload.size(), 1000u);
  EXPECT_EQ(header(*whole.dead, kOmitted), "");
  const ProcessedMessage cut =
      rejected({"m", "s"}, delivery_of(std::string(1001, 'p'), {}), http_error(400, "why"), kMaxBytes);
  EXPECT_EQ(cut.dead->payload, "");
  EXPECT_EQ(header(*cut.dead, kOmitted),
            "the payload of 1001 bytes does not fit beside the reason; message 0 of STAD_IN has it");
}

}  // namespace
}  // namespace stad::cluster
