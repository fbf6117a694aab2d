#include "io/stream_file.hpp"

#include <cmath>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/array.hpp"
#include "io/csv.hpp"
#include "io/format.hpp"
#include "io/npz.hpp"
#include "io/shown.hpp"

namespace stad {
namespace {

Result<FeatureStream> stream_of(const Array& features) {
  STAD_ASSIGN(auto rows, to_rows(features));
  FeatureStream stream;
  stream.features = rows.view;
  stream.storage = std::move(rows.storage);
  return stream;
}

Status check_length(const Array& array, Index rows) {
  STAD_TRY(check_dimensions(array, 1));
  if (array.shape[0] == rows) return {};
  return invalid(
      fmt::format("{} has {} values, features has {} rows, must be as many", array.name, array.shape[0], rows));
}

Status read_labels(const Npz& npz, FeatureStream& stream) {
  STAD_ASSIGN(const auto labels, npz.read("labels"));
  if (!labels) return {};
  STAD_TRY(check_length(*labels, stream.features.rows));
  STAD_ASSIGN(stream.labels, to_integers(*labels));
  return {};
}

/// Integers beyond 2^53 may fall together in double, and with them two time steps.
Status check_exact(const Array& time) {
  const auto integers = to_integers(time);
  for (std::size_t i = 0; integers && i < integers->size(); ++i) {
    const auto rounded = static_cast<double>((*integers)[i]);
    if (std::abs(rounded) >= 0x1p63 || static_cast<std::int64_t>(rounded) != (*integers)[i])
      return invalid(fmt::format("time[{}] is {}, must be exact in float64 (at most 2^53); count in a coarser unit", i,
                                 (*integers)[i]));
  }
  return {};
}

Status read_time(const Npz& npz, FeatureStream& stream) {
  STAD_ASSIGN(const auto time, npz.read("time"));
  if (!time) return {};
  STAD_TRY(check_length(*time, stream.features.rows));
  STAD_TRY(check_exact(*time));
  STAD_ASSIGN(stream.time, to_doubles(*time));
  for (std::size_t i = 0; i < stream.time.size(); ++i)
    if (!std::isfinite(stream.time[i]))
      return invalid(fmt::format("time[{}] is {}, must be finite", i, stream.time[i]));
  return {};
}

Status read_batch_sizes(const Npz& npz, FeatureStream& stream) {
  STAD_ASSIGN(const auto array, npz.read("batch_sizes"));
  if (!array) return {};
  STAD_ASSIGN(const auto sizes, to_integers(*array));
  const Index rows = stream.features.rows;
  Index sum = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 1) return invalid(fmt::format("batch_sizes[{}] is {}, must be positive", i, sizes[i]));
    if (__builtin_add_overflow(sum, sizes[i], &sum)) return invalid("batch_sizes has a sum beyond 64 bits");
  }
  if (sum != rows) return invalid(fmt::format("batch_sizes sum to {}, must sum to the {} rows of features", sum, rows));
  stream.batch_sizes.assign(sizes.begin(), sizes.end());
  return {};
}

Status check_shape(const FeatureStream& stream) {
  if (stream.features.rows == 0) return invalid("features has no rows, must have at least 1");
  if (stream.features.cols == 0) return invalid("features has no columns, must have at least 1");
  return {};
}

Result<FeatureStream> decode_npz_stream(Bytes file) {
  STAD_ASSIGN(const auto npz, Npz::open(file));
  STAD_ASSIGN(const auto features, npz.require("features"));
  STAD_ASSIGN(auto stream, stream_of(features));
  STAD_TRY(check_shape(stream));
  STAD_TRY(read_labels(npz, stream));
  STAD_TRY(read_time(npz, stream));
  STAD_TRY(read_batch_sizes(npz, stream));
  return stream;
}

Result<FeatureStream> decode_npy_stream(const FileBytes& file) {
  STAD_ASSIGN(const auto features, decode_npy("features", file.bytes, file.storage));
  return stream_of(features);
}

Result<FeatureStream> decode_any(const FileBytes& file, const CsvColumns& columns) {
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
  STAD_ASSIGN(auto stream, decode_any(file, columns));
  STAD_TRY(check_shape(stream));
  return stream;
}

Result<FeatureStream> read_stream(const std::string& path, const CsvColumns& columns) {
  STAD_ASSIGN(const auto file, read_file(path));
  auto stream = decode_stream(file, columns);
  if (!stream) return within(file_name(path), stream.error());
  stream->name = file_name(path);
  return stream;
}

}  // namespace stad
