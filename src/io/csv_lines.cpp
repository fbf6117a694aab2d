#include "io/csv_lines.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/try.hpp"

namespace stad {
namespace {

std::string_view without_margins(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const auto last = text.find_last_not_of("\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// The most frequent of comma, semicolon and tab in the first line, quotes aside; comma where they tie.
char detect_separator(std::string_view text) {
  constexpr std::string_view kCandidates = ",;\t";
  Index counts[kCandidates.size()] = {};
  bool quoted = false;
  for (const char c : text.substr(0, text.find('\n'))) {
    if (c == '"') quoted = !quoted;
    const auto which = kCandidates.find(c);
    if (!quoted && which != std::string_view::npos) ++counts[which];
  }
  return kCandidates[static_cast<std::size_t>(std::ranges::max_element(counts) - counts)];
}

/// Where the quote that closes the field stands; npos where none does.
std::size_t closing_quote(std::string_view quoted) {
  std::size_t at = 1;
  while ((at = quoted.find('"', at)) != std::string_view::npos && quoted.substr(at + 1).starts_with('"')) at += 2;
  return at;
}

/// Takes the first field off the line, and the separator after it.
Result<std::string_view> take_field(std::string_view& line, char separator) {
  std::string_view field;
  if (line.starts_with('"')) {
    const auto close = closing_quote(line);
    if (close == std::string_view::npos) return invalid("a quoted field does not end on its line");
    field = line.substr(1, close - 1);
    line.remove_prefix(close + 1);
    if (!line.empty() && line[0] != separator) return invalid("a quoted field goes on after its closing quote");
  } else {
    field = line.substr(0, line.find(separator));
    line.remove_prefix(field.size());
  }
  return field;
}

}  // namespace

CsvLines::CsvLines(std::string_view text) : rest_(without_margins(text)), separator_(detect_separator(rest_)) {}

Status CsvLines::take(std::vector<std::string_view>& fields) {
  ++number_;
  auto line = rest_.substr(0, rest_.find('\n'));
  rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) return invalid(fmt::format("line {} is blank", number_));
  fields.clear();
  while (true) {
    auto field = take_field(line, separator_);
    if (!field) return invalid(fmt::format("line {} column {}: {}", number_, fields.size() + 1, field.error().message));
    fields.push_back(*field);
    if (line.empty()) return {};
    line.remove_prefix(1);
  }
}

Index CsvLines::count() const { return rest_.empty() ? 0 : static_cast<Index>(std::ranges::count(rest_, '\n')) + 1; }

std::string unescaped(std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    text += field[i];
    if (field.substr(i).starts_with("\"\"")) ++i;
  }
  return text;
}

}  // namespace stad
