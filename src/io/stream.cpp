#include "io/npz_fields.hpp"

#include <array>
#include <cmath>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/array.hpp"
#include "io/csv.hpp"
#include "io/file_access.hpp"
#include "io/formats.hpp"
#include "io/npz.hpp"
#include "io/text.hpp"

namespace stad {
namespace {

constexpr std::array<std::string_view, 1> kStreamLabels{"labels"};
constexpr std::array<std::string_view, 1> kStreamTime{"time"};
constexpr FieldNames kStreamNames{"features", kStreamLabels, kStreamTime};

Result<FeatureStream> stream_of(const Array& features) {
  STAD_ASSIGN(auto rows, to_rows(features));
  FeatureStream stream;
  stream.features = rows.view;
  stream.storage = std::move(rows.storage);
  return stream;
}

Status check_extents(const FeatureStream& stream) {
  if (stream.features.rows == 0) return invalid("features has no rows, must have at least 1");
  if (stream.features.cols == 0) return invalid("features has no columns, must have at least 1");
  return {};
}

Result<FeatureStream> decode_npz_stream(Bytes file) {
  STAD_ASSIGN(const auto npz, Npz::open(file));
  STAD_ASSIGN(const auto features, npz.require("features"));
  STAD_ASSIGN(auto stream, stream_of(features));
  STAD_TRY(check_extents(stream));
  STAD_TRY(read_fields(npz, kStreamNames, stream));
  return stream;
}

Result<FeatureStream> decode_npy_stream(const FileBytes& file) {
  STAD_ASSIGN(const auto features, decode_npy("features", file.bytes, file.storage));
  return stream_of(features);
}

Result<FeatureStream> decode_any_stream(const FileBytes& file, const CsvColumns& columns) {
  switch (format_of(file.bytes)) {
    case Format::kNpz:
      return decode_npz_stream(file.bytes);
    case Format::kNpy:
      return decode_npy_stream(file);
    case Format::kState:
      return invalid("is a state file, must be a stream");
    case Format::kText:
      break;
  }
  return decode_csv(as_text(file.bytes), columns);
}

}  // namespace

Result<FeatureStream> decode_stream(const FileBytes& file, const CsvColumns& columns) {
  STAD_ASSIGN(auto stream, decode_any_stream(file, columns));
  STAD_TRY(check_extents(stream));
  return stream;
}

Result<FeatureStream> read_stream(const std::string& path, const CsvColumns& columns) {
  STAD_ASSIGN(const auto file, read_file(path));
  auto stream = decode_stream(file, columns);
  if (!stream) return within(file_name(path), stream.error());
  stream->name = file_name(path);
  return stream;
}

namespace {

Status check_field_length(const Array& array, std::string_view what, Index rows) {
  STAD_TRY(check_dimensions(array, 1));
  if (array.shape[0] == rows) return {};
  return invalid(
      fmt::format("{} has {} values, {} has {} rows, must be as many", array.name, array.shape[0], what, rows));
}

Status read_labels(const Npz& npz, const FieldNames& names, FeatureStream& stream) {
  STAD_ASSIGN(const auto labels, read_one_of(npz, names.labels));
  if (!labels) return {};
  STAD_TRY(check_field_length(*labels, names.rows, stream.features.rows));
  STAD_ASSIGN(stream.labels, to_integers(*labels));
  return {};
}

/// Integers beyond 2^53 may round to the same double, which would join two time steps.
Status check_exact(const Array& time) {
  const auto integers = to_integers(time);
  for (std::size_t i = 0; integers && i < integers->size(); ++i) {
    const auto rounded = static_cast<double>((*integers)[i]);
    if (std::abs(rounded) >= 0x1p63 || static_cast<std::int64_t>(rounded) != (*integers)[i])
      return invalid(fmt::format("{}[{}] is {}, must be exact in float64 (at most 2^53); count in a coarser unit",
                                 time.name, i, (*integers)[i]));
  }
  return {};
}

Status read_time(const Npz& npz, const FieldNames& names, FeatureStream& stream) {
  STAD_ASSIGN(const auto time, read_one_of(npz, names.time));
  if (!time) return {};
  STAD_TRY(check_field_length(*time, names.rows, stream.features.rows));
  STAD_TRY(check_exact(*time));
  STAD_ASSIGN(stream.time, to_doubles(*time));
  for (std::size_t i = 0; i < stream.time.size(); ++i)
    if (!std::isfinite(stream.time[i]))
      return invalid(fmt::format("{}[{}] is {}, must be finite", time->name, i, stream.time[i]));
  return {};
}

Status read_batch_sizes(const Npz& npz, const FieldNames& names, FeatureStream& stream) {
  STAD_ASSIGN(const auto array, npz.read("batch_sizes"));
  if (!array) return {};
  STAD_ASSIGN(const auto sizes, to_integers(*array));
  const Index rows = stream.features.rows;
  Index sum = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 1) return invalid(fmt::format("batch_sizes[{}] is {}, must be positive", i, sizes[i]));
    if (__builtin_add_overflow(sum, sizes[i], &sum)) return invalid("batch_sizes has a sum beyond 64 bits");
  }
  if (sum != rows)
    return invalid(fmt::format("batch_sizes sum to {}, must sum to the {} rows of {}", sum, rows, names.rows));
  stream.batch_sizes.assign(sizes.begin(), sizes.end());
  return {};
}

}  // namespace

Result<std::optional<Array>> read_one_of(const Npz& npz, ArrayNames names) {
  std::optional<Array> found;
  for (const auto name : names) {
    STAD_ASSIGN(auto array, npz.read(name));
    if (array && found) return invalid(fmt::format("has {} and {}, must have one of them", found->name, name));
    if (array) found = std::move(array);
  }
  return found;
}

Status read_fields(const Npz& npz, const FieldNames& names, FeatureStream& stream) {
  STAD_TRY(read_labels(npz, names, stream));
  STAD_TRY(read_time(npz, names, stream));
  return read_batch_sizes(npz, names, stream);
}

Status write_npz(const std::string& path, const NpzWriter& npz) {
  const auto content = npz.encode();
  if (!content) return within(path, content.error());
  return replace_file(path, *content);
}

Status check_row_count(std::string_view field, std::size_t length, Index rows, std::string_view what) {
  if (length == static_cast<std::size_t>(rows)) return {};
  return invalid(fmt::format("{} has {} values, {} has {} rows, must be as many", field, length, what, rows));
}

Status check_fields(const FeatureStream& stream, std::string_view what) {
  const Index rows = stream.features.rows;
  if (stream.has_labels()) STAD_TRY(check_row_count("labels", stream.labels.size(), rows, what));
  if (stream.has_time()) STAD_TRY(check_row_count("time", stream.time.size(), rows, what));
  return {};
}

void add_fields(NpzWriter& npz, const FeatureStream& stream) {
  const std::vector<std::int64_t> sizes(stream.batch_sizes.begin(), stream.batch_sizes.end());
  if (stream.has_labels()) npz.add("labels", std::span(stream.labels));
  if (stream.has_time()) npz.add("time", std::span(stream.time));
  if (!sizes.empty()) npz.add_copy("batch_sizes", sizes);
}

Status write_stream(const std::string& path, const FeatureStream& stream, const SourceModel* source) {
  if (const auto checked = check_fields(stream, "features"); !checked) return within(path, checked.error());
  NpzWriter npz;
  npz.add("features", stream.features);
  add_fields(npz, stream);
  if (source)
    if (const auto added = add_source(npz, *source); !added) return within(path, added.error());
  return write_npz(path, npz);
}

}  // namespace stad
