#include "io/formats.hpp"

#include <gtest/gtest.h>

#include <stad/files.hpp>

#include <cmath>
#include <cstring>

#include "made_bytes.hpp"
#include "support/temporary_directory.hpp"

namespace stad {
namespace {

AdapterState example_state() {
  AdapterState state;
  state.method = "stad-vmf";
  state.options = {{"window", "3", true}, {"init", "source", false}};
  state.source_fingerprint = 0xfedcba9876543210u;
  state.classes = 2;
  state.dimension = 3;
  state.tensors = {{"means", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6}},
                   {"kappa", {}, std::vector<double>{0.1}},
                   {"seen", {2}, std::vector<std::int64_t>{-7, 8}},
                   {"window", {0, 3}, std::vector<float>{}}};
  return state;
}

std::string state_error(const std::string& file) {
  const auto state = decode_state(as_bytes(file));
  return state ? "" : state.error().message;
}

/// A file with this payload and a valid checksum, so that the decoder of the payload is reached.
std::string file_of(const std::string& payload) {
  std::string file(kStateMagic);
  append(file, kStateVersion);
  append(file, static_cast<std::uint64_t>(payload.size()));
  append(file, state_checksum(file, payload));
  return file + payload;
}

TEST(StateFile, IsReadBackAsWritten) {
  const auto decoded = decode_state(as_bytes(encode_state(example_state())));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(*decoded, example_state());
}

TEST(StateFile, KeepsEveryBitOfANan) {
  AdapterState state;
  const std::uint64_t bits = 0x7ff8dead00beef01u;
  double nan = 0;
  std::memcpy(&nan, &bits, sizeof nan);
  state.tensors = {{"x", {1}, std::vector<double>{nan}}};
  const auto file = encode_state(state);
  EXPECT_EQ(encode_state(*decode_state(as_bytes(file))), file);
}

TEST(StateFile, HasTheLayoutThatIsDocumented) {
  AdapterState state;
  state.method = "t3a";
  state.classes = 2;
  state.dimension = 3;
  state.tensors = {{"x", {1}, std::vector<float>{1.5f}}};
  using made::values;
  const std::string payload = values<std::uint32_t>({3}) + "t3a" + values<std::uint32_t>({0}) +
                              values<std::uint64_t>({0, 2, 3}) + values<std::uint32_t>({1}) +
                              values<std::uint32_t>({1}) + "x" + values<std::uint8_t>({0, 1}) +
                              values<std::uint64_t>({1}) + values<float>({1.5f});
  // The checksum was made with Python's zlib.crc32, of the file without its four bytes.
  EXPECT_EQ(encode_state(state), std::string("STADST\x1a\n", 8) + values<std::uint32_t>({1}) +
                                     values<std::uint64_t>({58}) + values<std::uint32_t>({0x7edf372}) + payload);
}

TEST(StateFile, RefusesEveryTruncation) {
  const auto file = encode_state(example_state());
  for (std::size_t size = 0; size < file.size(); ++size) EXPECT_NE(state_error(file.substr(0, size)), "") << size;
}

TEST(StateFile, NoticesEveryFlippedBit) {
  const auto file = encode_state(example_state());
  for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
    auto flipped = file;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(state_error(flipped), "") << bit;
  }
}

TEST(StateFile, RefusesTrailingBytes) {
  EXPECT_EQ(state_error(encode_state(AdapterState{}) + "x"), "state file declares 36 bytes of content, found 37");
  EXPECT_EQ(state_error(file_of(encode_state(AdapterState{}).substr(24) + "x")),
            "state file is damaged: 1 bytes after the last tensor");
}

TEST(StateFile, RefusesANewerVersionAndSaysSo) {
  auto file = encode_state(example_state());
  file[8] = 2;
  EXPECT_EQ(state_error(file), "state file has format version 2, newer than version 1 that this build reads");
  file[8] = 0;
  EXPECT_EQ(state_error(file), "state file has format version 0, must be at least 1");
}

TEST(StateFile, RefusesSizesItsBytesCannotHold) {
  const std::string start = encode_state(AdapterState{}).substr(24, 4 + 4 + 24);
  const auto with_tensor = [&](std::uint8_t type, std::initializer_list<std::int64_t> shape) {
    return state_error(file_of(start + made::values<std::uint32_t>({1, 0}) +
                               made::values<std::uint8_t>({type, static_cast<std::uint8_t>(shape.size())}) +
                               made::values(shape)));
  };
  EXPECT_EQ(with_tensor(1, {1 << 20}), "state file is damaged: needs 8388608 more bytes, 0 are left");
  EXPECT_NE(with_tensor(0, {1ll << 62, 4}), "");
  EXPECT_NE(with_tensor(0, {-1}).find("must not be negative"), std::string::npos);
  EXPECT_NE(with_tensor(3, {0}).find("tensor type 3"), std::string::npos);
  EXPECT_EQ(with_tensor(0, {1ll << 62, 4, 0}), "");
}

TEST(StateFile, RefusesAMethodNameLongerThanTheFile) {
  EXPECT_EQ(state_error(file_of(made::values<std::uint32_t>({UINT32_MAX}))),
            "state file is damaged: needs 4294967295 more bytes, 0 are left");
}

TEST(StateFile, TravelsThroughTheDisk) {
  const testing::TemporaryDirectory scratch;
  ASSERT_TRUE(write_state(scratch.file("s"), example_state()));
  const auto state = read_state(scratch.file("s"));
  ASSERT_TRUE(state) << state.error().message;
  EXPECT_EQ(*state, example_state());
  EXPECT_EQ(read_state(scratch.write("t", "hello")).error().message, scratch.file("t") + ": is not a state file");
}

TEST(StateFile, IsNotWrittenFromATensorWithoutItsValues) {
  const testing::TemporaryDirectory scratch;
  AdapterState state;
  state.tensors = {{"x", {2}, std::vector<float>{1}}};
  EXPECT_FALSE(write_state(scratch.file("s"), state));
  EXPECT_EQ(scratch.files(), 0);
}

}  // namespace
}  // namespace stad
