#include "server/http/content_coding.hpp"

#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace stad::server {
namespace {

constexpr std::size_t kMany = std::size_t{1} << 30;
constexpr ContentCoding kCodings[] = {ContentCoding::kGzip, ContentCoding::kDeflate};

bool always(std::size_t) { return true; }

std::string text_of_size(std::size_t size) {
  std::mt19937 random(1);
  std::string text(size, ' ');
  for (char& c : text) c = static_cast<char>('a' + random() % 20);
  return text;
}

std::string raw_deflate(const std::string& text) {
  const std::string zlib = compressed(text, ContentCoding::kDeflate);
  return zlib.substr(2, zlib.size() - 6);  // without header and checksum
}

int coding_status(const std::function<void()>& function) {
  try {
    function();
  } catch (const AppError& failure) {
    return http_status(failure);
  }
  return 200;
}

int coding_status(std::string_view body, ContentCoding coding, std::size_t max_size = kMany,
                  const MayHold& may_hold = always) {
  return coding_status([&] { decompressed(body, coding, max_size, may_hold); });
}

TEST(ContentCoding, ABodyIsRestored) {
  for (const std::size_t size : {0, 1, 65536, 300'000}) {
    const std::string text = text_of_size(size);
    for (const auto coding : kCodings)
      EXPECT_EQ(decompressed(compressed(text, coding), coding, kMany, always), text) << size;
    EXPECT_EQ(decompressed(raw_deflate(text), ContentCoding::kDeflate, kMany, always), text) << size;
  }
}

TEST(ContentCoding, MembersOfGzipAreJoined) {
  const std::string two = compressed("ab", ContentCoding::kGzip) + compressed("cd", ContentCoding::kGzip);
  EXPECT_EQ(decompressed(two, ContentCoding::kGzip, kMany, always), "abcd");
}

TEST(ContentCoding, TheLimitIsExact) {
  for (const std::size_t size : {1000, 65536, 131072, 200'000}) {
    const std::string text = text_of_size(size);
    for (const auto coding : kCodings) {
      EXPECT_EQ(coding_status(compressed(text, coding), coding, size), 200) << size;
      EXPECT_EQ(coding_status(compressed(text, coding), coding, size - 1), 413) << size;
    }
  }
}

TEST(ContentCoding, ABombIsRefusedWithinTheLimit) {
  const std::string bomb = compressed(std::string(std::size_t{64} << 20, '\0'), ContentCoding::kGzip);
  ASSERT_LT(bomb.size(), std::size_t{1} << 19);
  std::size_t largest = 0;
  const auto observe = [&](std::size_t size) { return (largest = std::max(largest, size)) > 0; };
  EXPECT_EQ(coding_status(bomb, ContentCoding::kGzip, 1 << 20, observe), 413);
  EXPECT_LE(largest, (std::size_t{1} << 20) + 1);
}

TEST(ContentCoding, TheMemoryOfTheCallerIsAskedForBeforeItIsUsed) {
  const std::string body = compressed(text_of_size(300'000), ContentCoding::kGzip);
  EXPECT_EQ(coding_status(body, ContentCoding::kGzip, kMany, [](std::size_t size) { return size < 200'000; }), 429);
}

TEST(ContentCoding, OtherBytesAreErrors) {
  for (const auto coding : kCodings) {
    const std::string good = compressed("{\"a\": 1}", coding);
    for (std::size_t size = 0; size < good.size(); ++size) EXPECT_EQ(coding_status(good.substr(0, size), coding), 400);
    EXPECT_EQ(coding_status(good + "x", coding), 400);
    EXPECT_EQ(coding_status("{\"a\": 1}", coding), 400);
  }
}

TEST(ContentCoding, MutatedBodiesNeverExceedTheLimit) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 3000; ++trial) {
    const auto coding = kCodings[trial % 2];
    std::string body = compressed(text_of_size(2000), coding);
    for (int i = 0; i < 3; ++i) body[random() % body.size()] ^= static_cast<char>(1U << random() % 8);
    const int status = coding_status(body, coding, 4000);
    EXPECT_TRUE(status == 200 || status == 400 || status == 413) << status;
  }
}

TEST(ContentCoding, OneCodingIsNamed) {
  EXPECT_EQ(coding_of(""), ContentCoding::kIdentity);
  EXPECT_EQ(coding_of(" GZip "), ContentCoding::kGzip);
  EXPECT_EQ(coding_of("x-gzip"), ContentCoding::kGzip);
  EXPECT_EQ(coding_of("deflate"), ContentCoding::kDeflate);
  for (const char* other : {"br", "zstd", "gzip, gzip", "gzip2"})
    EXPECT_EQ(coding_status([&] { coding_of(other); }), 415) << other;
}

TEST(ContentCoding, TheClientRanksAnswers) {
  EXPECT_EQ(accepted_coding(""), ContentCoding::kIdentity);
  EXPECT_EQ(accepted_coding("br, identity"), ContentCoding::kIdentity);
  EXPECT_EQ(accepted_coding("deflate"), ContentCoding::kDeflate);
  EXPECT_EQ(accepted_coding("deflate, gzip"), ContentCoding::kGzip);
  EXPECT_EQ(accepted_coding("gzip, deflate, br"), ContentCoding::kGzip);
  EXPECT_EQ(accepted_coding("gzip;q=0.2, deflate;q=0.9"), ContentCoding::kDeflate);
  EXPECT_EQ(accepted_coding("gzip;q=0"), ContentCoding::kIdentity);
  EXPECT_EQ(accepted_coding("gzip; q=0, deflate"), ContentCoding::kDeflate);
  EXPECT_EQ(accepted_coding("gzip;q=x"), ContentCoding::kIdentity);
}

}  // namespace
}  // namespace stad::server
