#include "io/npy.hpp"

#include <gtest/gtest.h>

#include "made_bytes.hpp"

namespace stad {
namespace {

using made::npy_of;

std::string npy_error(const std::string& file) {
  const auto header = parse_npy_header(as_bytes(file));
  return header ? "" : header.error().message;
}

TEST(NpyHeader, IsReadInVersions1To3) {
  for (const char version : {'\1', '\2', '\3'}) {
    const auto file = made::npy("<f4", "(2, 3)", "", "False", version);
    const auto header = parse_npy_header(as_bytes(file));
    ASSERT_TRUE(header) << header.error().message;
    EXPECT_EQ(header->type, "<f4");
    EXPECT_EQ(header->shape, (std::vector<Index>{2, 3}));
    EXPECT_FALSE(header->fortran_order);
    EXPECT_EQ(header->data_offset, file.size());
  }
}

TEST(NpyHeader, MayHaveItsKeysInAnyOrderAndEitherQuote) {
  const auto file = npy_of("{\"shape\":(7L,), 'fortran_order' :True,'descr':\"|u1\"}", "");
  const auto header = parse_npy_header(as_bytes(file));
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->type, "|u1");
  EXPECT_EQ(header->shape, std::vector<Index>{7});
  EXPECT_TRUE(header->fortran_order);
}

TEST(NpyHeader, MayDescribeARecord) {
  const auto file = npy_of("{'descr': [('a]', '<f4'), ('b', '<i8', (2,))], 'fortran_order': False, 'shape': ()}", "");
  const auto header = parse_npy_header(as_bytes(file));
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->type, "[('a]', '<f4'), ('b', '<i8', (2,))]");
  EXPECT_TRUE(header->shape.empty());
}

TEST(NpyHeader, RefusesABadMagic) {
  EXPECT_NE(npy_error("NUMPY...........").find("is not an npy file"), std::string::npos);
}

TEST(NpyHeader, RefusesAnUnknownVersion) {
  EXPECT_EQ(npy_error(npy_of("{}", "", 4)), "npy format version 4 is unknown, must be 1, 2 or 3");
}

TEST(NpyHeader, RefusesALengthBeyondTheFile) {
  auto file = made::npy("<f4", "(2,)", "");
  file.resize(40);
  EXPECT_EQ(npy_error(file), "npy header ends at byte 128, the file has 40");
}

TEST(NpyHeader, RefusesAHugeLength) {
  EXPECT_NE(npy_error("\x93NUMPY\2" + made::values<std::uint8_t>({0, 255, 255, 255, 255})).find("at most"),
            std::string::npos);
}

TEST(NpyHeader, RefusesWhatIsNoDictionary) {
  for (const char* const text : {"", "hello", "{'descr' '<f4'}", "{'descr': '<f4'", "[1, 2]", "{1: 2}",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x"})
    EXPECT_NE(npy_error(npy_of(text, "  ")), "") << text;
}

TEST(NpyHeader, RefusesMissingUnknownAndRepeatedKeys) {
  EXPECT_NE(npy_error(npy_of("{'descr': '<f4', 'shape': (1,)}", "")).find("must have the keys"), std::string::npos);
  EXPECT_NE(npy_error(npy_of("{'descr': '<f4', 'colour': (1,)}", "")).find("'colour'"), std::string::npos);
  EXPECT_NE(npy_error(npy_of("{'shape': (1,), 'shape': (1,)}", "")).find("'shape'"), std::string::npos);
}

TEST(NpyHeader, RefusesBrokenShapes) {
  const auto error = [](const std::string& shape) { return npy_error(made::npy("<f4", shape, "")); };
  EXPECT_EQ(error("(2, -1)"), "npy header: shape has -1, must not be negative");
  EXPECT_NE(error("(99999999999999999999,)").find("at most 64 bits"), std::string::npos);
  EXPECT_NE(error("(2.5,)").find("not a tuple of integers"), std::string::npos);
  EXPECT_NE(error("2").find("not a tuple"), std::string::npos);
  std::string ones = "(";
  for (int i = 0; i < 33; ++i) ones += "1,";
  EXPECT_EQ(error(ones + ")"), "npy header: shape has more than 32 dimensions");
}

TEST(NpyHeader, IsReadBackAsWritten) {
  for (const std::vector<Index>& shape : {std::vector<Index>{}, {5}, {3, 4}, {0, 7}}) {
    const auto file = encode_npy_header("<i8", shape);
    EXPECT_EQ(file.size() % 64, 0u);
    const auto header = parse_npy_header(as_bytes(file));
    ASSERT_TRUE(header) << header.error().message;
    EXPECT_EQ(header->type, "<i8");
    EXPECT_EQ(header->shape, shape);
  }
}

}  // namespace
}  // namespace stad
