#include "server/http/admission.hpp"

#include <gtest/gtest.h>

namespace stad::server {
namespace {

int status_of(std::string_view coding, unsigned version = 11, std::size_t count = 1) {
  HeaderFields fields;
  fields.version = version;
  fields.hosts = 1;
  fields.transfer_encodings = count;
  fields.transfer_encoding = coding;
  const auto error = framing_error(fields);
  return error ? http_status(*error) : 200;
}

bool is_valid(unsigned version, std::size_t hosts) {
  HeaderFields fields;
  fields.version = version;
  fields.hosts = hosts;
  return !framing_error(fields);
}

TEST(Admission, OnlyChunkedIsATransferCoding) {
  EXPECT_EQ(status_of("chunked"), 200);
  EXPECT_EQ(status_of(" Chunked\t"), 200);
  for (const auto* coding : {"xchunked", "chunked, identity", "identity", "gzip", "", "chunked,"})
    EXPECT_EQ(status_of(coding), 400) << coding;
  EXPECT_EQ(status_of("gzip, chunked"), 501);
  EXPECT_EQ(status_of("chunked", 10), 400);
  EXPECT_EQ(status_of("chunked", 11, 2), 400);
}

TEST(Admission, HostIsGivenOnce) {
  EXPECT_TRUE(is_valid(11, 1));
  EXPECT_FALSE(is_valid(11, 0));
  EXPECT_FALSE(is_valid(10, 2));
  EXPECT_TRUE(is_valid(10, 0));
}

TEST(Admission, ATargetIsSplitInBothForms) {
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

TEST(Admission, TheSchemeOfATokenIsReadInAnyCase) {
  for (const auto* field : {"Bearer t", "bearer t", "BEARER  t "}) EXPECT_EQ(bearer_token(field), "t");
  for (const auto* field : {"", "Bearer", "Basic t", "t"}) EXPECT_FALSE(bearer_token(field));
}

}  // namespace
}  // namespace stad::server
