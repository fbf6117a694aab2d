#include "io/array.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/numbers.hpp"
#include "made_bytes.hpp"

namespace stad {
namespace {

using made::npy;
using made::swapped;
using made::values;

Result<Array> decode_array(const std::string& file) {
  const auto owned = own_bytes(file);
  return decode_npy("x", owned.bytes, owned.storage);
}

Result<Matrix> matrix_of(const std::string& file) {
  auto array = decode_array(file);
  if (!array) return array.error();
  return to_matrix(*array);
}

std::string array_error(const std::string& file) {
  const auto matrix = matrix_of(file);
  return matrix ? "" : matrix.error().message;
}

Matrix one_to_four() {
  Matrix matrix(2, 2);
  for (int i = 0; i < 4; ++i) matrix.data()[i] = static_cast<float>(i + 1);
  return matrix;
}

TEST(NpyReader, ReadsEveryNumberTypeInBothByteOrders) {
  const auto expect = [](const std::string& type, const std::string& data) {
    const auto matrix = matrix_of(npy(type, "(2, 2)", data));
    ASSERT_TRUE(matrix) << type << ": " << matrix.error().message;
    EXPECT_EQ(*matrix, one_to_four()) << type;
  };
  const auto expect_both = [&]<typename T>(const std::string& type, std::initializer_list<T> numbers) {
    expect("<" + type, values(numbers));
    expect(">" + type, swapped(numbers));
  };
  expect_both("f2", {std::uint16_t{0x3c00}, std::uint16_t{0x4000}, std::uint16_t{0x4200}, std::uint16_t{0x4400}});
  expect_both("f4", {1.f, 2.f, 3.f, 4.f});
  expect_both("f8", {1., 2., 3., 4.});
  expect_both.operator()<std::int16_t>("i2", {1, 2, 3, 4});
  expect_both.operator()<std::int32_t>("i4", {1, 2, 3, 4});
  expect_both.operator()<std::int64_t>("i8", {1, 2, 3, 4});
  expect_both.operator()<std::uint16_t>("u2", {1, 2, 3, 4});
  expect_both.operator()<std::uint32_t>("u4", {1, 2, 3, 4});
  expect_both.operator()<std::uint64_t>("u8", {1, 2, 3, 4});
  expect("|i1", values<std::int8_t>({1, 2, 3, 4}));
  expect("|u1", values<std::uint8_t>({1, 2, 3, 4}));
}

TEST(NpyReader, ReadsBooleansAsZeroAndOne) {
  const auto matrix = matrix_of(npy("|b1", "(1, 3)", values<std::uint8_t>({0, 1, 7})));
  ASSERT_TRUE(matrix);
  EXPECT_EQ((*matrix)(0, 0), 0);
  EXPECT_EQ((*matrix)(0, 1), 1);
  EXPECT_EQ((*matrix)(0, 2), 1);
}

TEST(NpyReader, ReadsFortranOrder) {
  const auto matrix = matrix_of(npy("<f4", "(2, 2)", values({1.f, 3.f, 2.f, 4.f}), "True"));
  ASSERT_TRUE(matrix);
  EXPECT_EQ(*matrix, one_to_four());
}

TEST(NpyReader, RefusesATruncatedFile) {
  EXPECT_EQ(array_error(npy("<f4", "(2, 2)", values({1.f, 2.f}))),
            "x of type <f4 and shape (2, 2) needs 16 bytes of data, found 8");
}

TEST(NpyReader, RefusesBytesAfterTheData) {
  EXPECT_EQ(array_error(npy("<f4", "(1, 1)", values({1.f, 2.f}))),
            "x of type <f4 and shape (1, 1) needs 4 bytes of data, found 8");
}

TEST(NpyReader, RefusesAShapeWhoseProductOverflows) {
  EXPECT_NE(
      array_error(npy("<f4", "(4611686018427387904, 4)", "")).find("must have a size in bytes of at most 64 bits"),
      std::string::npos);
  // 2^62 elements of 4 bytes are 2^64 bytes, which 64 bits would call 0.
  EXPECT_NE(
      array_error(npy("<f4", "(2147483648, 2147483648)", "")).find("must have a size in bytes of at most 64 bits"),
      std::string::npos);
}

TEST(NpyReader, RefusesObjectsAndSaysWhatToDo) {
  EXPECT_EQ(array_error(npy("|O", "(1, 1)", "")),
            "x holds Python objects, which are not supported: save it again as numbers or text");
}

TEST(NpyReader, RefusesOtherTypes) {
  for (const char* const type : {"<c8", "<M8[ns]", "|V4", "<f16", "<f3", "f", "", "<U0", "|S0", "<i16"})
    EXPECT_NE(array_error(npy(type, "(1, 1)", "abcd")).find("not supported"), std::string::npos) << type;
}

TEST(NpyReader, RefusesAnotherNumberOfDimensions) {
  EXPECT_EQ(array_error(npy("<f4", "(1, 1, 1)", values({1.f}))), "x has 3 dimensions, must have 2");
  EXPECT_EQ(array_error(npy("<f4", "()", values({1.f}))), "x has 0 dimensions, must have 2");
}

TEST(NpyReader, RefusesTextWhereNumbersMustBe) {
  EXPECT_EQ(array_error(npy("|S4", "(1, 1)", "abcd")), "x has type |S4, must be numbers");
}

TEST(NpyReader, NamesTheValueThatIsTooLargeForFloat32) {
  EXPECT_EQ(array_error(npy("<f8", "(2, 2)", values({1., 2., 3., 1e300}))),
            "x row 1 column 1 is 1e+300, too large for float32");
}

TEST(NpyReader, RoundsDoublesToTheNearestFloat32) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto matrix = matrix_of(npy("<f8", "(2, 2)", values<double>({0.1, -INFINITY, nan, 0x1.fffffefp127})));
  ASSERT_TRUE(matrix);
  EXPECT_EQ((*matrix)(0, 0), 0.1f);
  EXPECT_EQ((*matrix)(0, 1), -INFINITY);
  EXPECT_TRUE(std::isnan((*matrix)(1, 0)));
  EXPECT_EQ((*matrix)(1, 1), std::numeric_limits<float>::max());
}

TEST(NpyReader, ViewsAlignedFloat32InPlaceAndCopiesEverythingElse) {
  alignas(64) static const float numbers[] = {1, 2, 3, 4};
  Array array{"x", {}, {2, 2}, false, as_bytes(numbers, 4), {}};
  EXPECT_EQ(to_rows(array)->view.data, numbers);
  array.fortran_order = true;
  EXPECT_NE(to_rows(array)->view.data, numbers);
  array.fortran_order = false;
  array.shape = {3, 1};
  array.data = as_bytes(numbers + 1, 3);
  EXPECT_NE(to_rows(array)->view.data, numbers + 1);
  EXPECT_EQ(to_rows(array)->view.data[2], 4);
}

TEST(NpyReader, ReadsIntegersFromFloatsOnlyWhereIntegral) {
  const auto whole = to_integers(*decode_array(npy("<f4", "(2,)", values({-3.f, 7.f}))));
  ASSERT_TRUE(whole);
  EXPECT_EQ(*whole, (std::vector<std::int64_t>{-3, 7}));
  const auto error_at_1 = [](const std::string& type, const std::string& data) {
    const auto integers = to_integers(*decode_array(npy(type, "(2,)", data)));
    return integers ? "" : integers.error().message;
  };
  EXPECT_EQ(error_at_1("<f8", values({1., 2.5})), "x[1] is 2.5, must be an integer of at most 64 bits");
  EXPECT_NE(error_at_1("<f8", values({1., std::nan("")})), "");
  EXPECT_NE(error_at_1("<f8", values({1., 0x1p63})), "");
  EXPECT_NE(error_at_1("<u8", values<std::uint64_t>({1, UINT64_MAX})), "");
}

TEST(NpyReader, ReadsNamesFromTextAndIntegers) {
  const std::string utf32 = values<std::uint32_t>({'a', 0, 0xe9, 0x1f600});
  const std::string big = swapped<std::uint32_t>({'a', 0, 0xe9, 0x1f600});
  const std::vector<std::string> expected{"a", "\xc3\xa9\xf0\x9f\x98\x80"};
  EXPECT_EQ(*to_names(*decode_array(npy("<U2", "(2,)", utf32))), expected);
  EXPECT_EQ(*to_names(*decode_array(npy(">U2", "(2,)", big))), expected);
  EXPECT_EQ(*to_names(*decode_array(npy("|S3", "(2,)", std::string("cat\0\0\0", 6)))),
            (std::vector<std::string>{"cat", ""}));
  EXPECT_EQ(*to_names(*decode_array(npy("<i4", "(2,)", values<std::int32_t>({10, -2})))),
            (std::vector<std::string>{"10", "-2"}));
}

TEST(NpyReader, RefusesNamesThatAreNoUnicode) {
  EXPECT_FALSE(to_names(*decode_array(npy("<U1", "(1,)", values<std::uint32_t>({0xd800})))));
  EXPECT_FALSE(to_names(*decode_array(npy("<U1", "(1,)", values<std::uint32_t>({0x110000})))));
  EXPECT_EQ(to_names(*decode_array(npy("|S2", "(1,)", "\xc3("))).error().message, "x[0] is not valid Unicode text");
  EXPECT_FALSE(to_names(*decode_array(npy("|S3", "(1,)", "\xed\xa0\x80"))));  // a surrogate
  EXPECT_FALSE(to_names(*decode_array(npy("|S2", "(1,)", "\xc0\x80"))));      // an overlong NUL
  EXPECT_FALSE(to_names(*decode_array(npy("<f4", "(1,)", values({1.f})))));
}

TEST(Half, BecomesTheSameFloat32) {
  EXPECT_EQ(half_to_float(0x0000), 0.f);
  EXPECT_TRUE(std::signbit(half_to_float(0x8000)));
  EXPECT_EQ(half_to_float(0x0001), 0x1p-24f);
  EXPECT_EQ(half_to_float(0x83ff), -0x3ffp-24f);
  EXPECT_EQ(half_to_float(0x0400), 0x1p-14f);
  EXPECT_EQ(half_to_float(0x7bff), 65504.f);
  EXPECT_EQ(half_to_float(0xfc00), -INFINITY);
  EXPECT_TRUE(std::isnan(half_to_float(0x7e00)));
}

}  // namespace
}  // namespace stad
