#include "serving/protocol/tensor.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace stad::serving {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors travel in little-endian order");

struct DatatypeInfo {
  Datatype datatype;
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array kDatatypes{DatatypeInfo{Datatype::kFp16, "FP16", 2}, DatatypeInfo{Datatype::kFp32, "FP32", 4},
                                DatatypeInfo{Datatype::kFp64, "FP64", 8}, DatatypeInfo{Datatype::kInt64, "INT64", 8}};

const DatatypeInfo& info_of(Datatype datatype) { return kDatatypes[static_cast<std::size_t>(datatype)]; }

template <typename T>
T value_at(std::string_view bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

/// Exact: every float16 is a float32. Subnormals are computed from integers, since a thread may flush them to zero.
float half_to_float(std::uint16_t half) {
  const float sign = (half & 0x8000U) != 0 ? -1.0F : 1.0F;
  const std::uint32_t exponent = (half >> 10) & 0x1fU;
  const std::uint32_t fraction = half & 0x3ffU;
  if (exponent == 0) return sign * static_cast<float>(fraction) * 0x1p-24F;
  const std::uint32_t wide = exponent == 0x1f ? 0xffU : exponent + (127 - 15);
  return std::copysign(std::bit_cast<float>(wide << 23 | fraction << 13), sign);
}

bool overflows(double value) { return std::isfinite(value) && !std::isfinite(static_cast<float>(value)); }

std::optional<Overflow> doubles_to_floats(std::string_view bytes, float* out) {
  const std::size_t count = bytes.size() / sizeof(double);
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = value_at<double>(bytes, i);
    out[i] = static_cast<float>(value);
    any |= overflows(value);
  }
  for (std::size_t i = 0; any; ++i)
    if (const auto value = value_at<double>(bytes, i); overflows(value)) return Overflow{i, value};
  return std::nullopt;
}

}  // namespace

std::optional<Datatype> datatype_named(std::string_view name) {
  for (const auto& info : kDatatypes)
    if (info.name == name) return info.datatype;
  return std::nullopt;
}

std::string_view name_of(Datatype datatype) { return info_of(datatype).name; }

std::size_t bytes_of(Datatype datatype) { return info_of(datatype).bytes; }

std::optional<Overflow> to_floats(Datatype datatype, std::string_view bytes, float* out) {
  if (datatype == Datatype::kFp64) return doubles_to_floats(bytes, out);
  if (datatype == Datatype::kFp32) std::memcpy(out, bytes.data(), bytes.size());
  if (datatype == Datatype::kFp16)
    for (std::size_t i = 0; i < bytes.size() / 2; ++i) out[i] = half_to_float(value_at<std::uint16_t>(bytes, i));
  return std::nullopt;
}

}  // namespace stad::serving
