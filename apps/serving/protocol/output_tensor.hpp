#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "serving/protocol/classification.hpp"
#include "serving/protocol/infer_response.hpp"

namespace stad::serving {

static_assert(std::endian::native == std::endian::little, "tensors travel in little-endian order");

using Labels = std::span<const std::int64_t>;
using Floats = std::span<const float>;
using Texts = std::span<const std::string>;

/// One of the outputs of an answer, to be encoded as JSON or as bytes. Refers to the answer.
struct OutputTensor {
  std::string_view name;
  WantedOutput wanted;
  std::variant<Labels, Floats, Texts> values;
  std::int64_t columns = 0;  ///< 0: one value a row, and a shape of one count

  std::string_view datatype() const {
    constexpr std::array<std::string_view, 3> kNames{"INT64", "FP32", "BYTES"};
    return kNames[values.index()];
  }
  std::size_t size() const {
    return std::visit([](const auto& span) { return span.size(); }, values);
  }
  std::size_t bytes() const {
    if (const auto* texts = std::get_if<Texts>(&values)) return bytes_of_strings(*texts);
    return size() * (std::holds_alternative<Floats>(values) ? sizeof(float) : sizeof(std::int64_t));
  }
  void append_to(std::string& out) const {
    if (const auto* texts = std::get_if<Texts>(&values)) return append_strings(out, *texts);
    const void* data = std::visit([](const auto& span) -> const void* { return span.data(); }, values);
    out.append(static_cast<const char*>(data), bytes());
  }
};

using OutputTensors = std::array<OutputTensor, 4>;

/// The most probable classes where the probabilities are requested as such; empty otherwise.
inline std::vector<std::string> top_classes_of(const InferRequest& request, const InferAnswer& answer) {
  if (request.probabilities.top_classes == 0) return {};
  return classes_of(answer.probabilities, request.probabilities.top_classes, answer.class_names);
}

inline OutputTensor probabilities_of(const InferRequest& request, const InferAnswer& answer, Texts top_classes) {
  const Matrix& probabilities = answer.probabilities;
  OutputTensor tensor{"probabilities", request.probabilities,
                      Floats(probabilities.data(), static_cast<std::size_t>(probabilities.size())),
                      probabilities.cols()};
  if (request.probabilities.top_classes == 0) return tensor;
  tensor.values = top_classes;
  tensor.columns = std::min<std::int64_t>(request.probabilities.top_classes, probabilities.cols());
  return tensor;
}

/// All outputs, those that the client did not request included.
/// @param top_classes see top_classes_of()
inline OutputTensors tensors_of(const InferRequest& request, const InferAnswer& answer, Texts top_classes) {
  return {OutputTensor{"label", request.label, Labels(answer.labels)}, probabilities_of(request, answer, top_classes),
          OutputTensor{"source_label", request.source_label, Labels(answer.source_labels)},
          OutputTensor{"adapted_label", request.adapted_label, Labels(answer.adapted_labels)}};
}

}  // namespace stad::serving
