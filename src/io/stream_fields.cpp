#include "io/stream_fields.hpp"

#include <cmath>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/array.hpp"

namespace stad {
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

/// Integers beyond 2^53 may fall together in double, and with them two time steps.
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

Result<std::optional<Array>> read_one_of(const Npz& npz, Names names) {
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

}  // namespace stad
