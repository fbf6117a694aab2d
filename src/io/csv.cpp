#include "io/csv.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/csv_lines.hpp"
#include "io/number_text.hpp"
#include "io/shown.hpp"

namespace stad {
namespace {

using Fields = std::vector<std::string_view>;

/// What stands in which column.
struct Layout {
  bool has_header = false;
  std::vector<std::string> names;
  std::optional<std::size_t> label;
  std::optional<std::size_t> time;

  std::size_t features() const { return names.size() - label.has_value() - time.has_value(); }
};

bool is_number(std::string_view field) { return parse_number<double>(field).flaw != NumberFlaw::kNotANumber; }

/// Bytes no text has: the file is of another kind altogether. The first line is looked at whole, for the names in
/// it; of the rest a page is enough, as it must be numbers anyway.
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

/// A line with a name in it, beside which only whole numbers can be names too ("0,1,2,label"): a first row with a
/// mistyped number is no header, and is refused instead of lost.
bool looks_like_header(const Fields& first) {
  const auto is_name = [](std::string_view field) { return !field.empty() && !is_number(field); };
  const auto may_be_name = [](std::string_view field) {
    return !is_number(field) || field.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return std::ranges::any_of(first, is_name) && std::ranges::all_of(first, may_be_name);
}

std::vector<std::string> column_names(const Fields& first, bool has_header) {
  std::vector<std::string> names;
  for (const auto field : first) names.push_back(has_header ? unescaped(field) : fmt::format("{}", names.size() + 1));
  return names;
}

Result<Layout> read_layout(CsvLines lines) {
  if (lines.done()) return invalid("is empty, must have at least one row");
  Fields first;
  STAD_TRY(lines.take(first));
  Layout layout;
  layout.has_header = looks_like_header(first);
  layout.names = column_names(first, layout.has_header);
  return layout;
}

Result<std::optional<std::size_t>> find_column(const Layout& layout, std::string_view name) {
  const auto& names = layout.names;
  const auto found = std::ranges::find(names, name);
  if (!layout.has_header || found == names.end()) return std::optional<std::size_t>();
  if (std::find(found + 1, names.end(), name) != names.end())
    return invalid(fmt::format("has two columns {}, must have one", shown(name)));
  return std::optional(static_cast<std::size_t>(found - names.begin()));
}

Result<std::optional<std::size_t>> require_column(const Layout& layout, std::string_view name) {
  STAD_ASSIGN(const auto column, find_column(layout, name));
  if (column) return column;
  if (!layout.has_header) return invalid(fmt::format("has no header, so no column {}", shown(name)));
  return invalid(fmt::format("has no column {}; it has {}", shown(name), listed(layout.names)));
}

Result<std::optional<std::size_t>> find_label(const Layout& layout) {
  STAD_ASSIGN(const auto label, find_column(layout, "label"));
  STAD_ASSIGN(const auto labels, find_column(layout, "labels"));
  if (label && labels) return invalid("has a column 'label' and a column 'labels': name the one to use");
  return label ? label : labels;
}

Status assign_columns(Layout& layout, const CsvColumns& columns) {
  STAD_ASSIGN(layout.label, columns.label.empty() ? find_label(layout) : require_column(layout, columns.label));
  STAD_ASSIGN(layout.time, columns.time.empty() ? find_column(layout, "time") : require_column(layout, columns.time));
  if (layout.label && layout.label == layout.time)
    return invalid(fmt::format("column {} cannot be both label and time", shown(layout.names[*layout.label])));
  if (layout.features() == 0) return invalid("has no feature columns, must have at least one");
  return {};
}

/// Reads line after line into what will be the stream.
class RowReader {
 public:
  RowReader(CsvLines lines, const Layout& layout) : lines_(lines), layout_(layout) {}

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
    if (!label) return broken(column, "is not an integer, a label must be");
    labels_.push_back(*label);
    return {};
  }

  Status read_time(std::size_t column) {
    const auto number = parse_number<double>(fields_[column]);
    if (number.flaw != NumberFlaw::kNone || !std::isfinite(number.value))
      return broken(column, "is not a finite number, a time must be");
    time_.push_back(number.value);
    return {};
  }

  Error broken(std::size_t column, std::string_view rule) const {
    const std::string name = layout_.has_header ? fmt::format(" ({})", shown(layout_.names[column])) : "";
    return invalid(
        fmt::format("line {} column {}{}: {} {}", lines_.number(), column + 1, name, shown(fields_[column]), rule));
  }

  CsvLines lines_;
  const Layout& layout_;
  Fields fields_;
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
  RowReader rows(lines, layout);
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
