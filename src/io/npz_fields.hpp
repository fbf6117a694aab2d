#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <stad/error.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

#include "io/npz.hpp"

namespace stad {

// Groups of arrays that several kinds of npz files share.

using ArrayNames = std::span<const std::string_view>;

/// Names of the arrays of a stream. Where several names are listed, a file must use exactly one of them.
struct FieldNames {
  std::string_view rows;  ///< the array that holds the rows, for messages
  ArrayNames labels;
  ArrayNames time;
};

/// The array of one of these names, or none. Two of them in one archive are an error.
Result<std::optional<Array>> read_one_of(const Npz& npz, ArrayNames names);

/// Reads the optional labels, times and batch sizes of a stream whose rows are set.
Status read_fields(const Npz& npz, const FieldNames& names, FeatureStream& stream);

/// Fails unless a field has one value for each of the rows of `what`.
Status check_row_count(std::string_view field, std::size_t length, Index rows, std::string_view what);
Status check_fields(const FeatureStream& stream, std::string_view what);

/// Adds labels, times and batch sizes, as far as the stream has them.
void add_fields(NpzWriter& npz, const FeatureStream& stream);

/// Adds weight, bias, mean, card and class names, as far as the source has them.
Status add_source(NpzWriter& npz, const SourceModel& source);

/// Encodes the archive and replaces the file.
Status write_npz(const std::string& path, const NpzWriter& npz);

}  // namespace stad
