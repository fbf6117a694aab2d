#include "server/http/request_rules.hpp"

#include <gtest/gtest.h>

namespace stad::server {
namespace {

int status_of(std::string_view coding, unsigned version = 11, std::size_t fields = 1) {
  const auto error =
      framing_error({.version = version, .hosts = 1, .transfer_encodings = fields, .transfer_encoding = coding});
  return error ? http_status(*error) : 200;
}

TEST(RequestRules, OnlyChunkedIsATransferCoding) {
  EXPECT_EQ(status_of("chunked"), 200);
  EXPECT_EQ(status_of(" Chunked\t"), 200);
  for (const auto* coding : {"xchunked", "chunked, identity", "identity", "gzip", "", "chunked,"})
    EXPECT_EQ(status_of(coding), 400) << coding;
  EXPECT_EQ(status_of("gzip, chunked"), 501);
  EXPECT_EQ(status_of("chunked", 10), 400);
  EXPECT_EQ(status_of("chunked", 11, 2), 400);
}

TEST(RequestRules, HostIsGivenOnce) {
  EXPECT_FALSE(framing_error({.version = 11, .hosts = 1, .transfer_encodings = 0, .transfer_encoding = ""}));
  EXPECT_TRUE(framing_error({.version = 11, .hosts = 0, .transfer_encodings = 0, .transfer_encoding = ""}));
  EXPECT_TRUE(framing_error({.version = 10, .hosts = 2, .transfer_encodings = 0, .transfer_encoding = ""}));
  EXPECT_FALSE(framing_error({.version = 10, .hosts = 0, .transfer_encodings = 0, .transfer_encoding = ""}));
}

TEST(RequestRules, ATargetIsSplitInBothForms) {
  struct Case {
    std::string_view target, host, path, query;
  };
  for (const Case& expected : {Case{"/a/b?c=d", "field", "/a/b", "c=d"}, Case{"http://x:1/a?b", "x:1", "/a", "b"},
                               Case{"HTTPS://x", "x", "/", ""}, Case{"http://x?b", "x", "/", "b"},
                               Case{"*", "field", "*", ""}, Case{"/http://x/", "field", "/http://x/", ""}}) {
    const RequestTarget found = split_target(expected.target, "field");
    EXPECT_EQ(found.host, expected.host) << expected.target;
    EXPECT_EQ(found.path, expected.path) << expected.target;
    EXPECT_EQ(found.query, expected.query) << expected.target;
  }
}

TEST(RequestRules, TheSchemeOfATokenIsReadInAnyCase) {
  for (const auto* field : {"Bearer t", "bearer t", "BEARER  t "}) EXPECT_EQ(bearer_token(field), "t");
  for (const auto* field : {"", "Bearer", "Basic t", "t"}) EXPECT_FALSE(bearer_token(field));
}

}  // namespace
}  // namespace stad::server
