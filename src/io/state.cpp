#include "io/formats.hpp"

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include <fmt/core.h>
#include <zlib.h>

#include <stad/files.hpp>

#include "base/check.hpp"
#include "base/try.hpp"
#include "io/file_access.hpp"
#include "io/text.hpp"

namespace stad {
namespace {

constexpr std::size_t kMostTensorDimensions = 32;

/// The product of the shape equals the number of values.
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

namespace {

/// Reads values from the front of a payload. Checks that all bytes of a value are present before it allocates.
class StateReader {
 public:
  explicit StateReader(Bytes payload) : rest_(payload) {}

  std::size_t remaining() const { return rest_.size(); }

  Result<Bytes> take_bytes(std::uint64_t count) {
    if (count > rest_.size())
      return invalid(fmt::format("state file is damaged: needs {} more bytes, {} are left", count, rest_.size()));
    const Bytes taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

  template <typename T>
  Result<T> take() {
    STAD_ASSIGN(const Bytes bytes, take_bytes(sizeof(T)));
    return load<T>(bytes.data());
  }

  Result<std::string> take_text() {
    STAD_ASSIGN(const auto length, take<std::uint32_t>());
    STAD_ASSIGN(const Bytes bytes, take_bytes(length));
    return std::string(as_text(bytes));
  }

  Result<Index> take_extent() {
    STAD_ASSIGN(const auto extent, take<std::int64_t>());
    if (extent < 0) return invalid(fmt::format("state file is damaged: size {}, must not be negative", extent));
    return Index{extent};
  }

  template <typename T>
  Result<Tensor::Values> take_values(std::span<const Index> shape) {
    std::uint64_t bytes = sizeof(T);
    if (std::ranges::find(shape, 0) != shape.end()) bytes = 0;
    for (const Index extent : shape)
      if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes)) bytes = UINT64_MAX;
    STAD_ASSIGN(const Bytes taken, take_bytes(bytes));
    std::vector<T> values(taken.size() / sizeof(T));
    if (!taken.empty()) std::memcpy(values.data(), taken.data(), taken.size());
    return Tensor::Values(std::move(values));
  }

 private:
  Bytes rest_;
};

Result<OptionSetting> take_option(StateReader& reader) {
  OptionSetting option;
  STAD_ASSIGN(option.name, reader.take_text());
  STAD_ASSIGN(option.value, reader.take_text());
  STAD_ASSIGN(const auto is_number, reader.take<std::uint8_t>());
  if (is_number > 1) return invalid(fmt::format("state file is damaged: option flag {}, must be 0 or 1", is_number));
  option.is_number = is_number == 1;
  return option;
}

Result<Tensor::Values> take_values(StateReader& reader, std::uint8_t type, std::span<const Index> shape) {
  switch (type) {
    case 0:
      return reader.take_values<float>(shape);
    case 1:
      return reader.take_values<double>(shape);
    case 2:
      return reader.take_values<std::int64_t>(shape);
    default:
      return invalid(fmt::format("state file is damaged: tensor type {}, must be 0, 1 or 2", type));
  }
}

Result<Tensor> take_tensor(StateReader& reader) {
  Tensor tensor;
  STAD_ASSIGN(tensor.name, reader.take_text());
  STAD_ASSIGN(const auto type, reader.take<std::uint8_t>());
  STAD_ASSIGN(const auto dimensions, reader.take<std::uint8_t>());
  if (dimensions > kMostTensorDimensions)
    return invalid(fmt::format("state file is damaged: tensor {} has {} dimensions, must have at most {}",
                               shown(tensor.name), dimensions, kMostTensorDimensions));
  for (int i = 0; i < dimensions; ++i) {
    STAD_ASSIGN(tensor.shape.emplace_back(), reader.take_extent());
  }
  STAD_ASSIGN(tensor.values, take_values(reader, type, tensor.shape));
  return tensor;
}

Result<AdapterState> decode_payload(Bytes payload) {
  StateReader reader(payload);
  AdapterState state;
  STAD_ASSIGN(state.method, reader.take_text());
  STAD_ASSIGN(const auto options, reader.take<std::uint32_t>());
  for (std::uint32_t i = 0; i < options; ++i) {
    STAD_ASSIGN(auto option, take_option(reader));
    state.options.push_back(std::move(option));
  }
  STAD_ASSIGN(state.source_fingerprint, reader.take<std::uint64_t>());
  STAD_ASSIGN(state.classes, reader.take_extent());
  STAD_ASSIGN(state.dimension, reader.take_extent());
  STAD_ASSIGN(const auto tensors, reader.take<std::uint32_t>());
  for (std::uint32_t i = 0; i < tensors; ++i) {
    STAD_ASSIGN(auto tensor, take_tensor(reader));
    state.tensors.push_back(std::move(tensor));
  }
  if (reader.remaining() > 0)
    return invalid(fmt::format("state file is damaged: {} bytes after the last tensor", reader.remaining()));
  return state;
}

}  // namespace

Result<AdapterState> decode_state(Bytes file) {
  if (!as_text(file).starts_with(kStateMagic)) return invalid("is not a state file");
  if (file.size() < kStatePayloadOffset) return invalid(fmt::format("state file ends after {} bytes", file.size()));
  const auto version = load<std::uint32_t>(file.data() + 8);
  if (version > kStateVersion)
    return invalid(fmt::format("state file has format version {}, newer than version {} that this build reads", version,
                               kStateVersion));
  if (version == 0) return invalid("state file has format version 0, must be at least 1");
  const auto length = load<std::uint64_t>(file.data() + 12);
  const Bytes payload = file.subspan(kStatePayloadOffset);
  if (length != payload.size())
    return invalid(fmt::format("state file declares {} bytes of content, found {}", length, payload.size()));
  const auto checksum = state_checksum(as_text(file.first(kStateChecksumOffset)), as_text(payload));
  if (checksum != load<std::uint32_t>(file.data() + kStateChecksumOffset))
    return invalid("state file is damaged: its checksum does not match its content");
  return decode_payload(payload);
}

Result<AdapterState> state_from_bytes(std::string_view bytes) { return decode_state(as_bytes(bytes)); }

Result<AdapterState> read_state(const std::string& path) {
  STAD_ASSIGN(const auto file, read_file(path));
  auto state = decode_state(file.bytes);
  if (!state) return within(file_name(path), state.error());
  return state;
}

Result<std::string> state_to_bytes(const AdapterState& state) {
  for (const auto& tensor : state.tensors)
    if (!has_matching_shape(tensor))
      return invalid(fmt::format("tensor {} has a number of values that differs from its shape", shown(tensor.name)));
  return encode_state(state);
}

Status write_state(const std::string& path, const AdapterState& state) {
  const auto bytes = state_to_bytes(state);
  if (!bytes) return within(path, bytes.error());
  return replace_file(path, *bytes);
}

}  // namespace stad
