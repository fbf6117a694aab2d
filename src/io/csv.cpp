#include "io/csv.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

#include "base/try.hpp"
#include "io/numbers.hpp"
#include "io/text.hpp"

namespace stad {
namespace {

/// Iterates over the lines of a CSV text and splits them into fields. Skips a byte order mark at the start and blank
/// lines at the end. A quoted field must end on its line.
class CsvLines {
 public:
  explicit CsvLines(std::string_view text);

  bool done() const { return rest_.empty(); }
  Index number() const { return number_; }  ///< number of the line taken last, from 1

  /// Writes the fields of the next line without their quotes; they are views of the text.
  Status take(std::vector<std::string_view>& fields);

  /// The number of lines not taken yet.
  Index count() const;

 private:
  std::string_view rest_;
  char separator_;
  Index number_ = 0;
};

std::string_view without_margins(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const auto last = text.find_last_not_of("\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// The most frequent of comma, semicolon and tab outside quotes in the first line; comma on a tie.
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

/// Position of the closing quote; npos if there is none.
std::size_t closing_quote(std::string_view quoted) {
  std::size_t at = 1;
  while ((at = quoted.find('"', at)) != std::string_view::npos && quoted.substr(at + 1).starts_with('"')) at += 2;
  return at;
}

/// Removes the first field from the line and returns it; the separator after it stays.
Result<std::string_view> take_field(std::string_view& line, char separator) {
  std::string_view field;
  if (line.starts_with('"')) {
    const auto close = closing_quote(line);
    if (close == std::string_view::npos) return invalid("a quoted field must end on its line");
    field = line.substr(1, close - 1);
    line.remove_prefix(close + 1);
    if (!line.empty() && line[0] != separator) return invalid("a quoted field must be followed by a separator");
  } else {
    field = line.substr(0, line.find(separator));
    line.remove_prefix(field.size());
  }
  return field;
}

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

/// Replaces the doubled quotes of a quoted field by single ones.
std::string unescaped(std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    text += field[i];
    if (field.substr(i).starts_with("\"\"")) ++i;
  }
  return text;
}

using CsvFields = std::vector<std::string_view>;

/// The columns of the table: their names, and which hold label and time.
struct CsvLayout {
  bool has_header = false;
  std::vector<std::string> names;
  std::optional<std::size_t> label;
  std::optional<std::size_t> time;

  std::size_t features() const { return names.size() - label.has_value() - time.has_value(); }
};

bool is_number(std::string_view field) { return parse_number<double>(field).flaw != NumberFlaw::kNotANumber; }

/// Rejects bytes that no text contains, so that a binary file is reported as such. Checks the whole first line, whose
/// names are free text, and one page of the rest, which must parse as numbers anyway.
Status check_text(std::string_view text) {
  constexpr std::size_t kPage = 4096;
  const auto start = text.substr(0, std::max(kPage, std::min(text.find('\n'), text.size())));
  const auto broken = std::ranges::find_if(start, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7f || (byte < 0x20 && c != '\t' && c != '\r' && c != '\n');
  });
  if (broken == start.end()) return {};
  return invalid(fmt::format("is neither npz nor npy nor text: byte {} is {:#04x}", broken - start.begin(),
                             static_cast<unsigned char>(*broken)));
}

/// A header has at least one name, and besides names only whole numbers ("0,1,2,label"). A first row with one mistyped
/// number is therefore data, which is rejected, and not a header, which would be skipped.
bool looks_like_header(const CsvFields& first) {
  const auto is_name = [](std::string_view field) { return !field.empty() && !is_number(field); };
  const auto may_be_name = [](std::string_view field) {
    return !is_number(field) || field.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return std::ranges::any_of(first, is_name) && std::ranges::all_of(first, may_be_name);
}

std::vector<std::string> column_names(const CsvFields& first, bool has_header) {
  std::vector<std::string> names;
  for (const auto field : first) names.push_back(has_header ? unescaped(field) : fmt::format("{}", names.size() + 1));
  return names;
}

Result<CsvLayout> read_layout(CsvLines lines) {
  if (lines.done()) return invalid("is empty, must have at least one row");
  CsvFields first;
  STAD_TRY(lines.take(first));
  CsvLayout layout;
  layout.has_header = looks_like_header(first);
  layout.names = column_names(first, layout.has_header);
  return layout;
}

Result<std::optional<std::size_t>> find_column(const CsvLayout& layout, std::string_view name) {
  const auto& names = layout.names;
  const auto found = std::ranges::find(names, name);
  if (!layout.has_header || found == names.end()) return std::optional<std::size_t>();
  if (std::find(found + 1, names.end(), name) != names.end())
    return invalid(fmt::format("has two columns {}, must have one", shown(name)));
  return std::optional(static_cast<std::size_t>(found - names.begin()));
}

Result<std::optional<std::size_t>> require_column(const CsvLayout& layout, std::string_view name) {
  STAD_ASSIGN(const auto column, find_column(layout, name));
  if (column) return column;
  if (!layout.has_header) return invalid(fmt::format("has no header, so no column {}", shown(name)));
  return invalid(fmt::format("has no column {}; it has {}", shown(name), listed(layout.names)));
}

Result<std::optional<std::size_t>> find_label(const CsvLayout& layout) {
  STAD_ASSIGN(const auto label, find_column(layout, "label"));
  STAD_ASSIGN(const auto labels, find_column(layout, "labels"));
  if (label && labels) return invalid("has a column 'label' and a column 'labels': name the one to use");
  return label ? label : labels;
}

Status assign_columns(CsvLayout& layout, const CsvColumns& columns) {
  STAD_ASSIGN(layout.label, columns.label.empty() ? find_label(layout) : require_column(layout, columns.label));
  STAD_ASSIGN(layout.time, columns.time.empty() ? find_column(layout, "time") : require_column(layout, columns.time));
  if (layout.label && layout.label == layout.time)
    return invalid(fmt::format("column {} cannot be both label and time", shown(layout.names[*layout.label])));
  if (layout.features() == 0) return invalid("has no feature columns, must have at least one");
  return {};
}

/// Reads all rows into the arrays of a stream.
class CsvRowReader {
 public:
  CsvRowReader(CsvLines lines, const CsvLayout& layout) : lines_(lines), layout_(layout) {}

  Status read_all() {
    if (layout_.has_header) STAD_TRY(lines_.take(fields_));
    while (!lines_.done()) {
      STAD_TRY(lines_.take(fields_));
      if (fields_.size() != layout_.names.size())
        return invalid(fmt::format("line {} has {} fields, must have {} as the first line", lines_.number(),
                                   fields_.size(), layout_.names.size()));
      for (std::size_t column = 0; column < fields_.size(); ++column) STAD_TRY(read_field(column));
    }
    return {};
  }

  FeatureStream stream() && {
    const auto columns = static_cast<Index>(layout_.features());
    Matrix features(static_cast<Index>(values_.size()) / columns, columns);
    std::ranges::copy(values_, features.data());
    auto stream = FeatureStream::from(std::move(features));
    stream.labels = std::move(labels_);
    stream.time = std::move(time_);
    return stream;
  }

 private:
  Status read_field(std::size_t column) {
    if (column == layout_.label) return read_label(column);
    if (column == layout_.time) return read_time(column);
    const auto number = parse_number<float>(fields_[column]);
    if (number.flaw == NumberFlaw::kTooLarge) return broken(column, "is too large for float32");
    if (number.flaw != NumberFlaw::kNone) return broken(column, "is not a number");
    values_.push_back(number.value);
    return {};
  }

  Status read_label(std::size_t column) {
    const auto label = parse_integer(fields_[column]);
    if (!label) return broken(column, "is a label, must be an integer");
    labels_.push_back(*label);
    return {};
  }

  Status read_time(std::size_t column) {
    const auto number = parse_number<double>(fields_[column]);
    if (number.flaw != NumberFlaw::kNone || !std::isfinite(number.value))
      return broken(column, "is a time, must be a finite number");
    time_.push_back(number.value);
    return {};
  }

  Error broken(std::size_t column, std::string_view rule) const {
    const std::string name = layout_.has_header ? fmt::format(" ({})", shown(layout_.names[column])) : "";
    return invalid(
        fmt::format("line {} column {}{}: {} {}", lines_.number(), column + 1, name, shown(fields_[column]), rule));
  }

  CsvLines lines_;
  const CsvLayout& layout_;
  CsvFields fields_;
  std::vector<float> values_;
  std::vector<std::int64_t> labels_;
  std::vector<double> time_;
};

}  // namespace

Result<FeatureStream> decode_csv(std::string_view text, const CsvColumns& columns) {
  STAD_TRY(check_text(text));
  const CsvLines lines(text);
  STAD_ASSIGN(auto layout, read_layout(lines));
  STAD_TRY(assign_columns(layout, columns));
  CsvRowReader rows(lines, layout);
  STAD_TRY(rows.read_all());
  return std::move(rows).stream();
}

Result<CsvSummary> summarise_csv(std::string_view text) {
  STAD_TRY(check_text(text));
  const CsvLines lines(text);
  STAD_ASSIGN(auto layout, read_layout(lines));
  return CsvSummary{layout.has_header, std::move(layout.names), lines.count() - layout.has_header};
}

}  // namespace stad
