#pragma once

#include <string>
#include <string_view>

#include <stad/error.hpp>
#include <stad/streams.hpp>

#include "io/npz_writer.hpp"

namespace stad {

Status write_npz(const std::string& path, const NpzWriter& npz);

/// A field with a value for each row has as many values as `what` has rows.
Status check_row_count(std::string_view field, std::size_t length, Index rows, std::string_view what);
Status check_fields(const FeatureStream& stream, std::string_view what);

/// Labels, time and batch sizes, where there are any.
void add_fields(NpzWriter& npz, const FeatureStream& stream);

}  // namespace stad
