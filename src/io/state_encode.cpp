#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <variant>

#include "base/check.hpp"
#include "io/state_file.hpp"
#include "io/state_layout.hpp"

namespace stad {
namespace {

void append_text(std::string& to, std::string_view text) {
  append(to, static_cast<std::uint32_t>(text.size()));
  to += text;
}

void append_tensor(std::string& to, const Tensor& tensor) {
  STAD_CHECK(has_matching_shape(tensor));
  append_text(to, tensor.name);
  append(to, static_cast<std::uint8_t>(tensor.values.index()));
  append(to, static_cast<std::uint8_t>(tensor.shape.size()));
  for (const Index extent : tensor.shape) append(to, static_cast<std::int64_t>(extent));
  std::visit([&](const auto& values) { to += as_text(std::as_bytes(std::span(values))); }, tensor.values);
}

std::string encode_payload(const AdapterState& state) {
  std::string payload;
  append_text(payload, state.method);
  append(payload, static_cast<std::uint32_t>(state.options.size()));
  for (const auto& option : state.options) {
    append_text(payload, option.name);
    append_text(payload, option.value);
    append(payload, static_cast<std::uint8_t>(option.is_number));
  }
  append(payload, state.source_fingerprint);
  append(payload, static_cast<std::int64_t>(state.classes));
  append(payload, static_cast<std::int64_t>(state.dimension));
  append(payload, static_cast<std::uint32_t>(state.tensors.size()));
  for (const auto& tensor : state.tensors) append_tensor(payload, tensor);
  return payload;
}

}  // namespace

bool has_matching_shape(const Tensor& tensor) {
  if (tensor.shape.size() > kMostTensorDimensions) return false;
  std::uint64_t count = 1;
  const bool is_empty = std::ranges::find(tensor.shape, 0) != tensor.shape.end();
  for (const Index extent : tensor.shape) {
    if (extent < 0) return false;
    if (is_empty) count = 0;
    if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(extent), &count)) return false;
  }
  return count == std::visit([](const auto& values) { return values.size(); }, tensor.values);
}

std::uint32_t state_checksum(std::string_view start, std::string_view payload) {
  const auto add = [](uLong sum, std::string_view text) {
    return crc32_z(sum, reinterpret_cast<const Bytef*>(text.data()), text.size());
  };
  return static_cast<std::uint32_t>(add(add(0, start), payload));
}

std::string encode_state(const AdapterState& state) {
  const std::string payload = encode_payload(state);
  std::string file(kStateMagic);
  append(file, kStateVersion);
  append(file, static_cast<std::uint64_t>(payload.size()));
  append(file, state_checksum(file, payload));
  return file + payload;
}

}  // namespace stad
