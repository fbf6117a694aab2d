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

/// A named array in the precision the method keeps it in, so that a restored adapter continues bit for bit.
struct Tensor {
  using Values = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>>;

  std::string name;
  std::vector<Index> shape;  ///< the product is the number of values
  Values values;

  bool operator==(const Tensor&) const = default;
};

/// Everything a method remembers, apart from how it is written: `io` turns it into bytes.
struct STAD_API AdapterState {
  std::string method;
  std::vector<OptionSetting> options;    ///< fully resolved, in the method's order
  std::uint64_t source_fingerprint = 0;  ///< of the head it belongs to
  Index classes = 0;                     ///< K
  Index dimension = 0;                   ///< D
  std::vector<Tensor> tensors;

  /// The tensor of that name, or null.
  const Tensor* find(std::string_view name) const;
  bool operator==(const AdapterState&) const = default;
};

}  // namespace stad
