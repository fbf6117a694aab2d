#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string_view>

#include <fmt/core.h>

#include <stad/error.hpp>

#include "io/bytes.hpp"
#include "io/element_type.hpp"
#include "io/half.hpp"

namespace stad {

/// Finite numbers beyond float32 would become infinite; infinities and nan pass as they are.
template <typename T>
bool fits_float(T value) {
  // Half a step above the largest float32, where rounding goes to infinity.
  if constexpr (std::same_as<T, double>) return !std::isfinite(value) || std::abs(value) < 0x1.ffffffp127;
  return true;
}

template <typename T>
bool fits_integer(T value) {
  if constexpr (std::floating_point<T>) return std::trunc(value) == value && std::abs(value) < T(0x1p63);
  if constexpr (std::same_as<T, std::uint64_t>) return value <= std::uint64_t{INT64_MAX};
  return true;
}

/// One element, of either byte order; T is a type of the file, the answer one to compute with.
template <typename T>
T load_number(const std::byte* from, bool big_endian) {
  if (!big_endian) return load<T>(from);
  std::array<std::byte, sizeof(T)> reversed;
  std::reverse_copy(from, from + sizeof(T), reversed.begin());
  return load<T>(reversed.data());
}

/// Calls use(number), where number(i) is element i, once for the whole array: the choice of type stays out of the
/// inner loops.
template <typename Use>
Status visit_numbers(Bytes data, const ElementType& type, Use use) {
  const auto plain = [&]<typename T>(T) {
    return use([&](std::size_t i) { return load_number<T>(data.data() + i * sizeof(T), type.big_endian); });
  };
  if (type.kind == 'b') return use([&](std::size_t i) { return data[i] == std::byte{0} ? 0 : 1; });
  if (type.kind == 'f' && type.size == 2)
    return use(
        [&](std::size_t i) { return half_to_float(load_number<std::uint16_t>(data.data() + i * 2, type.big_endian)); });
  if (type.kind == 'f') return type.size == 4 ? plain(float{}) : plain(double{});
  const bool is_signed = type.kind == 'i';
  switch (type.size) {
    case 1:
      return is_signed ? plain(std::int8_t{}) : plain(std::uint8_t{});
    case 2:
      return is_signed ? plain(std::int16_t{}) : plain(std::uint16_t{});
    case 4:
      return is_signed ? plain(std::int32_t{}) : plain(std::uint32_t{});
    default:
      return is_signed ? plain(std::int64_t{}) : plain(std::uint64_t{});
  }
}

inline Status check_numbers(std::string_view name, const ElementType& type) {
  if (type.is_number()) return {};
  return invalid(fmt::format("{} has type {}, must be numbers", name, element_type_text(type)));
}

}  // namespace stad
