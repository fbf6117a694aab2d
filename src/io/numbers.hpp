#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

#include "io/bytes.hpp"

namespace stad {

/// Type of the elements of an array, in the notation of numpy.
struct ElementType {
  char kind = 'f';       ///< f float, i signed, u unsigned, b boolean, S bytes, U UTF-32 text
  std::size_t size = 4;  ///< bytes of one element, at least 1
  bool big_endian = false;

  bool is_number() const { return kind != 'S' && kind != 'U'; }
  bool is_integer() const { return kind == 'i' || kind == 'u'; }
  bool operator==(const ElementType&) const = default;
};

/// Parses text such as "<f4". Objects, complex numbers, dates and records are errors.
Result<ElementType> parse_element_type(std::string_view text);

/// The inverse of parse_element_type(), such as "<f4".
std::string element_type_text(const ElementType& type);

/// Number of bytes of all elements, or an error if it exceeds 64 bits.
Result<std::uint64_t> data_size(const ElementType& type, std::span<const Index> shape);

/// Converts float16 to float32. Exact for every value; NaN stays NaN.
inline float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fU;
  const std::uint32_t fraction = half & 0x3ffU;
  if (exponent == 0) {  // zero and subnormals: fraction * 2^-24
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 0x1f ? 0xffU : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

/// False for finite numbers that would round to infinity in float32. Infinities and NaN fit.
template <typename T>
bool fits_float(T value) {
  // The largest float32 plus half a unit in its last place: from here on rounding gives infinity.
  if constexpr (std::same_as<T, double>) return !std::isfinite(value) || std::abs(value) < 0x1.ffffffp127;
  return true;
}

template <typename T>
bool fits_integer(T value) {
  if constexpr (std::floating_point<T>) return std::trunc(value) == value && std::abs(value) < T(0x1p63);
  if constexpr (std::same_as<T, std::uint64_t>) return value <= std::uint64_t{INT64_MAX};
  return true;
}

/// Loads one element of either byte order.
template <typename T>
T load_number(const std::byte* from, bool big_endian) {
  if (!big_endian) return load<T>(from);
  std::array<std::byte, sizeof(T)> reversed;
  std::reverse_copy(from, from + sizeof(T), reversed.begin());
  return load<T>(reversed.data());
}

/// Calls use(number) once, where number(i) is element i. Dispatches on the type outside the inner loops.
template <typename Use>
Status visit_numbers(Bytes data, const ElementType& type, Use use) {
  const auto use_as = [&]<typename T>(T) {
    return use([&](std::size_t i) { return load_number<T>(data.data() + i * sizeof(T), type.big_endian); });
  };
  if (type.kind == 'b') return use([&](std::size_t i) { return data[i] == std::byte{0} ? 0 : 1; });
  if (type.kind == 'f' && type.size == 2)
    return use(
        [&](std::size_t i) { return half_to_float(load_number<std::uint16_t>(data.data() + i * 2, type.big_endian)); });
  if (type.kind == 'f') return type.size == 4 ? use_as(float{}) : use_as(double{});
  const bool is_signed = type.kind == 'i';
  switch (type.size) {
    case 1:
      return is_signed ? use_as(std::int8_t{}) : use_as(std::uint8_t{});
    case 2:
      return is_signed ? use_as(std::int16_t{}) : use_as(std::uint16_t{});
    case 4:
      return is_signed ? use_as(std::int32_t{}) : use_as(std::uint32_t{});
    default:
      return is_signed ? use_as(std::int64_t{}) : use_as(std::uint64_t{});
  }
}

inline Status check_numbers(std::string_view name, const ElementType& type) {
  if (type.is_number()) return {};
  return invalid(fmt::format("{} has type {}, must be numbers", name, element_type_text(type)));
}

// Numbers in text, independent of the locale. The whole text must be one number, except for spaces around it. nan and
// inf are numbers.

enum class NumberFlaw { kNone, kNotANumber, kTooLarge };

template <typename T>
struct ParsedNumber {
  T value = 0;
  NumberFlaw flaw = NumberFlaw::kNone;
};

/// For float and double. Values too small for T become zero; values too large are reported as a flaw.
template <typename T>
ParsedNumber<T> parse_number(std::string_view text);

/// Accepts integral floats such as "3.0" and "3e2" as well, because some programs write labels that way.
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace stad
