#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "serving/protocol/infer_response.hpp"

namespace stad::serving {

static_assert(std::endian::native == std::endian::little, "tensors travel in little-endian order");

using Labels = std::span<const std::int64_t>;
using Floats = std::span<const float>;

/// One of the outputs of an answer, to be encoded as JSON or as bytes. Refers to the answer.
struct OutputTensor {
  std::string_view name;
  WantedOutput wanted;
  std::variant<Labels, Floats> values;
  std::int64_t columns = 0;  ///< 0: one value a row, and a shape of one count

  std::string_view datatype() const { return std::holds_alternative<Floats>(values) ? "FP32" : "INT64"; }
  std::size_t size() const {
    return std::visit([](const auto& span) { return span.size(); }, values);
  }
  std::string_view bytes() const {
    return std::visit(
        [](const auto& span) {
          return std::string_view(reinterpret_cast<const char*>(span.data()), span.size_bytes());
        },
        values);
  }
};

using OutputTensors = std::array<OutputTensor, 4>;

/// All outputs, those that the client did not request included.
inline OutputTensors tensors_of(const InferRequest& request, const InferAnswer& answer) {
  const Matrix& probabilities = answer.probabilities;
  return {
      OutputTensor{"label", request.label, Labels(answer.labels)},
      OutputTensor{"probabilities", request.probabilities,
                   Floats(probabilities.data(), static_cast<std::size_t>(probabilities.size())), probabilities.cols()},
      OutputTensor{"source_label", request.source_label, Labels(answer.source_labels)},
      OutputTensor{"adapted_label", request.adapted_label, Labels(answer.adapted_labels)}};
}

}  // namespace stad::serving
