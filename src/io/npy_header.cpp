#include "io/npy_header.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/header_text.hpp"
#include "io/shown.hpp"

namespace stad {
namespace {

constexpr std::size_t kLargestHeader = std::size_t{1} << 20;
constexpr std::size_t kMostDimensions = 32;  // numpy's own limit
constexpr std::size_t kAlignment = 64;

Result<std::vector<Index>> parse_shape(HeaderText& text) {
  std::vector<Index> shape;
  if (!text.take('(')) return invalid("npy header: shape is not a tuple");
  while (!text.take(')')) {
    STAD_ASSIGN(const Index extent, text.take_integer());
    if (extent < 0) return invalid(fmt::format("npy header: shape has {}, must not be negative", extent));
    if (shape.size() == kMostDimensions)
      return invalid(fmt::format("npy header: shape has more than {} dimensions", kMostDimensions));
    shape.push_back(extent);
    if (!text.take(',') && !text.next_is(')')) return invalid("npy header: shape is not a tuple of integers");
  }
  return shape;
}

/// Which of the three keys were seen: each must be there once.
struct Seen {
  bool type = false;
  bool order = false;
  bool shape = false;

  bool all() const { return type && order && shape; }
};

Status parse_entry(HeaderText& text, NpyHeader& header, Seen& seen) {
  STAD_ASSIGN(const auto key, text.take_string());
  if (!text.take(':')) return invalid("npy header: is not a dictionary");
  if (key == "descr" && !std::exchange(seen.type, true)) {
    STAD_ASSIGN(header.type, text.take_type());
  } else if (key == "fortran_order" && !std::exchange(seen.order, true)) {
    STAD_ASSIGN(header.fortran_order, text.take_boolean());
  } else if (key == "shape" && !std::exchange(seen.shape, true)) {
    STAD_ASSIGN(header.shape, parse_shape(text));
  } else {
    return invalid(fmt::format("npy header: key {} is unknown or there twice", shown(key)));
  }
  return {};
}

Result<NpyHeader> parse_dictionary(std::string_view dictionary) {
  HeaderText text(dictionary);
  NpyHeader header;
  Seen seen;
  if (!text.take('{')) return invalid("npy header: is not a dictionary");
  while (!text.take('}')) {
    STAD_TRY(parse_entry(text, header, seen));
    if (!text.take(',') && !text.next_is('}')) return invalid("npy header: is not a dictionary");
  }
  if (!text.done()) return invalid("npy header: has text after the dictionary");
  if (!seen.all()) return invalid("npy header: must have the keys descr, fortran_order and shape");
  return header;
}

}  // namespace

Result<std::size_t> npy_data_offset(Bytes start) {
  if (!as_text(start).starts_with(kNpyMagic)) return invalid("is not an npy file: does not begin with \\x93NUMPY");
  if (start.size() < kNpyPrelude) return invalid(fmt::format("npy file ends after {} bytes", start.size()));
  const int version = std::to_integer<int>(start[6]);
  if (version < 1 || version > 3)
    return invalid(fmt::format("npy format version {} is unknown, must be 1, 2 or 3", version));
  const bool is_short = version == 1;
  const std::size_t length = is_short ? load<std::uint16_t>(start.data() + 8) : load<std::uint32_t>(start.data() + 8);
  if (length > kLargestHeader)
    return invalid(fmt::format("npy header has {} bytes, must have at most {}", length, kLargestHeader));
  return (is_short ? 10 : 12) + length;
}

Result<NpyHeader> parse_npy_header(Bytes start) {
  STAD_ASSIGN(const std::size_t offset, npy_data_offset(start));
  if (offset > start.size())
    return invalid(fmt::format("npy header ends at byte {}, the file has {}", offset, start.size()));
  const std::size_t begin = std::to_integer<int>(start[6]) == 1 ? 10 : 12;
  STAD_ASSIGN(auto header, parse_dictionary(as_text(start.subspan(begin, offset - begin))));
  header.data_offset = offset;
  return header;
}

std::string encode_npy_header(std::string_view type, std::span<const Index> shape) {
  std::string extents;
  for (const Index extent : shape) extents += fmt::format("{}, ", extent);
  if (shape.size() > 1) extents.resize(extents.size() - 2);
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, extents);
  const std::size_t unpadded = 10 + dictionary.size() + 1;
  dictionary.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dictionary += '\n';

  std::string header(kNpyMagic);
  header += {'\1', '\0'};
  append(header, static_cast<std::uint16_t>(dictionary.size()));
  return header + dictionary;
}

}  // namespace stad
