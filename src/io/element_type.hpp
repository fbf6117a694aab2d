#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// What one element of an array is, in numpy's letters.
struct ElementType {
  char kind = 'f';       ///< f float, i signed, u unsigned, b boolean, S bytes, U UTF-32 text
  std::size_t size = 4;  ///< bytes of one element, at least 1
  bool big_endian = false;

  bool is_number() const { return kind != 'S' && kind != 'U'; }
  bool is_integer() const { return kind == 'i' || kind == 'u'; }
  bool operator==(const ElementType&) const = default;
};

/// From text such as "<f4". Objects, complex numbers, dates and records are refused.
Result<ElementType> parse_element_type(std::string_view text);

/// As numpy writes it.
std::string element_type_text(const ElementType& type);

/// Bytes of all elements together, or an error where no machine could hold them.
Result<std::uint64_t> data_size(const ElementType& type, std::span<const Index> shape);

}  // namespace stad
