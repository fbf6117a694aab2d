#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/error.hpp"
#include "serving/protocol/infer_request.hpp"

namespace stad::serving {

/// A request as it travels.
struct Sent {
  std::string body;
  std::optional<std::size_t> json_length;
};

/// JSON with the bytes of its tensors behind it.
inline Sent binary_request(const std::string& json, std::string_view bytes) {
  return {json + std::string(bytes), json.size()};
}

template <typename T>
std::string bytes_of_values(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// `features` of one row as JSON numbers, with more members of the request before it.
inline std::string with_features(const std::string& more) {
  return "{" + more + R"("inputs":[{"name":"features","shape":[1,2],"datatype":"FP32","data":[1,2]}]})";
}

inline InferRequest read(const Sent& sent, const TensorLimits& limits = {}) {
  return read_infer_request(sent.body, sent.json_length, limits);
}
inline InferRequest read(const std::string& body) { return read(Sent{body, {}}); }

/// Why a request is refused; "accepted" where it is not.
inline std::string error_of(const Sent& sent, const TensorLimits& limits = {}) {
  try {
    read(sent, limits);
  } catch (const AppError& failure) {
    return failure.error.message;
  }
  return "accepted";
}
inline std::string error_of(const std::string& body) { return error_of(Sent{body, {}}); }

inline std::vector<float> values_of(const Matrix& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

}  // namespace stad::serving
