#include "serving/protocol/tensor.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "server/protocol/requests.hpp"

namespace stad::serving {
namespace {

float half(std::uint16_t bits) {
  float value = 0;
  EXPECT_FALSE(to_floats(Datatype::kFp16, bytes_of_values<std::uint16_t>({bits}), &value));
  return value;
}

// Expected values are those of Python: struct.unpack("<e", struct.pack("<H", bits)).
TEST(Float16, HasTheValuesThatPythonReads) {
  EXPECT_EQ(half(0x0001), 0x1p-24F);
  EXPECT_EQ(half(0x8001), -0x1p-24F);
  EXPECT_EQ(half(0x03ff), 6.097555160522461e-05F);
  EXPECT_EQ(half(0x0400), 6.103515625e-05F);
  EXPECT_EQ(half(0x3555), 0.333251953125F);
  EXPECT_EQ(half(0x3c01), 1.0009765625F);
  EXPECT_EQ(half(0x7bff), 65504.0F);
  EXPECT_EQ(half(0xfc00), -INFINITY);
}

TEST(Float16, IsSignFractionAndPowerOfTwoForAllOfItsBits) {
  for (unsigned bits = 0; bits <= 0xffff; ++bits) {
    const int exponent = static_cast<int>(bits >> 10 & 0x1f);
    const int fraction = static_cast<int>(bits & 0x3ff);
    const float found = half(static_cast<std::uint16_t>(bits));
    EXPECT_EQ(std::signbit(found), bits >= 0x8000) << bits;
    if (exponent == 31) {
      EXPECT_TRUE(fraction == 0 ? std::isinf(found) : std::isnan(found)) << bits;
    } else {
      const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
      EXPECT_EQ(std::abs(found), magnitude) << bits;
    }
  }
}

TEST(Float32, KeepsItsBits) {
  const std::vector<std::uint32_t> bits{0x80000000, 0x00000001, 0x7f800000, 0xff800000, 0x7fc12345, 0x7f7fffff};
  std::vector<float> found(bits.size());
  EXPECT_FALSE(to_floats(Datatype::kFp32, bytes_of_values(bits), found.data()));
  for (std::size_t i = 0; i < bits.size(); ++i) EXPECT_EQ(std::bit_cast<std::uint32_t>(found[i]), bits[i]);
}

TEST(Float64, IsRoundedAndItsFirstOverflowIsTold) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<float> found(3);
  EXPECT_FALSE(to_floats(Datatype::kFp64, bytes_of_values<double>({0.1, 1e-300, 3.4028235677973362e38}), found.data()));
  EXPECT_EQ(found, (std::vector<float>{0.1F, 0.0F, std::numeric_limits<float>::max()}));
  const auto overflow = to_floats(Datatype::kFp64, bytes_of_values<double>({kInfinity, -1e39, 1e40}), found.data());
  ASSERT_TRUE(overflow);
  EXPECT_EQ(overflow->index, 1U);
  EXPECT_EQ(overflow->value, -1e39);
}

TEST(Values, MayStandAtAnyAddress) {
  const std::string bytes = "x" + bytes_of_values<double>({1, 2, 3});
  std::vector<float> found(3);
  EXPECT_FALSE(to_floats(Datatype::kFp64, std::string_view(bytes).substr(1), found.data()));
  EXPECT_EQ(found, (std::vector<float>{1, 2, 3}));
}

}  // namespace
}  // namespace stad::serving
