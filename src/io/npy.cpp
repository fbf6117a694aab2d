#include "io/npy.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

#include "base/try.hpp"
#include "io/text.hpp"

namespace stad {
namespace {

/// Parser for the Python literal in an npy header. Supports the subset of the language that numpy writes.
class HeaderText {
 public:
  explicit HeaderText(std::string_view text) : rest_(text) {}

  bool next_is(char c);
  bool take(char c);  ///< consumes the character if it is next
  bool done();

  Result<std::string> take_string();
  Result<bool> take_boolean();
  Result<Index> take_integer();

  /// A string, or the bracketed list of a record type, verbatim.
  Result<std::string> take_type();

 private:
  void skip_space();
  Result<std::string> take_brackets();

  std::string_view rest_;
};

void HeaderText::skip_space() {
  const auto first = rest_.find_first_not_of(" \t\r\n");
  rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
}

bool HeaderText::next_is(char c) {
  skip_space();
  return rest_.starts_with(c);
}

bool HeaderText::take(char c) {
  if (!next_is(c)) return false;
  rest_.remove_prefix(1);
  return true;
}

bool HeaderText::done() {
  skip_space();
  return rest_.empty();
}

Result<std::string> HeaderText::take_string() {
  const char quote = next_is('\'') ? '\'' : '"';
  const auto end = next_is(quote) ? rest_.find(quote, 1) : std::string_view::npos;
  if (end == std::string_view::npos)
    return invalid(fmt::format("npy header: found {}, must be quoted text", shown(rest_)));
  std::string content(rest_.substr(1, end - 1));
  rest_.remove_prefix(end + 1);
  return content;
}

Result<bool> HeaderText::take_boolean() {
  skip_space();
  for (const std::string_view word : {"True", "False"}) {
    if (!rest_.starts_with(word)) continue;
    rest_.remove_prefix(word.size());
    return word == "True";
  }
  return invalid(fmt::format("npy header: fortran_order is {}, must be True or False", shown(rest_)));
}

Result<Index> HeaderText::take_integer() {
  skip_space();
  Index value = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
  if (error != std::errc{})
    return invalid(fmt::format("npy header: shape has {}, must be integers of at most 64 bits", shown(rest_)));
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  if (rest_.starts_with('L')) rest_.remove_prefix(1);  // long integer literals of Python 2
  return value;
}

Result<std::string> HeaderText::take_type() { return next_is('[') || next_is('(') ? take_brackets() : take_string(); }

Result<std::string> HeaderText::take_brackets() {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    const char c = rest_[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '(') {
      ++depth;
    } else if ((c == ']' || c == ')') && --depth == 0) {
      std::string content(rest_.substr(0, i + 1));
      rest_.remove_prefix(i + 1);
      return content;
    }
  }
  return invalid("npy header: descr has an unclosed bracket");
}

constexpr std::size_t kLargestHeader = std::size_t{1} << 20;
constexpr std::size_t kMostDimensions = 32;  // numpy's own limit
constexpr std::size_t kDataAlignment = 64;

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

/// The keys read so far. Each of the three must occur exactly once.
struct SeenKeys {
  bool type = false;
  bool order = false;
  bool shape = false;

  bool all() const { return type && order && shape; }
};

Status parse_entry(HeaderText& text, NpyHeader& header, SeenKeys& seen) {
  STAD_ASSIGN(const auto key, text.take_string());
  if (!text.take(':')) return invalid("npy header: is not a dictionary");
  if (key == "descr" && !std::exchange(seen.type, true)) {
    STAD_ASSIGN(header.type, text.take_type());
  } else if (key == "fortran_order" && !std::exchange(seen.order, true)) {
    STAD_ASSIGN(header.fortran_order, text.take_boolean());
  } else if (key == "shape" && !std::exchange(seen.shape, true)) {
    STAD_ASSIGN(header.shape, parse_shape(text));
  } else {
    return invalid(fmt::format("npy header: key {} is unknown or repeated", shown(key)));
  }
  return {};
}

Result<NpyHeader> parse_dictionary(std::string_view dictionary) {
  HeaderText text(dictionary);
  NpyHeader header;
  SeenKeys seen;
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
  dictionary.append((kDataAlignment - unpadded % kDataAlignment) % kDataAlignment, ' ');
  dictionary += '\n';

  std::string header(kNpyMagic);
  header += {'\1', '\0'};
  append(header, static_cast<std::uint16_t>(dictionary.size()));
  return header + dictionary;
}

}  // namespace stad
