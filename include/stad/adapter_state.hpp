#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <stad/export.hpp>
#include <stad/matrix.hpp>
#include <stad/options.hpp>

namespace stad {

/// A named array in the precision that the method uses, so that a restored adapter continues bit for bit.
struct Tensor {
  using Values = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>>;

  std::string name;
  std::vector<Index> shape;  ///< the product is the number of values
  Values values;

  bool operator==(const Tensor&) const = default;
};

/// The complete state of a method, independent of its encoding; state_to_bytes() encodes it.
struct STAD_API AdapterState {
  std::string method;
  std::vector<OptionSetting> options;    ///< all options with their values, in the order of the method
  std::uint64_t source_fingerprint = 0;  ///< of the source model
  Index classes = 0;                     ///< K
  Index dimension = 0;                   ///< D
  std::vector<Tensor> tensors;

  /// The tensor of that name, or null.
  const Tensor* find(std::string_view name) const;
  bool operator==(const AdapterState&) const = default;
};

}  // namespace stad
