#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <stad/error.hpp>
#include <stad/streams.hpp>

#include "io/npz.hpp"

namespace stad {

using Names = std::span<const std::string_view>;

/// What an archive may call the parts of a stream. Where there are several names, a file uses one of them.
struct FieldNames {
  std::string_view rows;  ///< the array that holds the rows, for messages
  Names labels;
  Names time;
};

/// The array that has one of these names, or none; two of them at once would leave open which is meant.
Result<std::optional<Array>> read_one_of(const Npz& npz, Names names);

/// Labels, time and batch sizes, where the archive has them, for a stream whose rows are known.
Status read_fields(const Npz& npz, const FieldNames& names, FeatureStream& stream);

}  // namespace stad
