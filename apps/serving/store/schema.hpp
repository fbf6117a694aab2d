#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "serving/store/sqlite.hpp"

namespace stad::serving {

inline constexpr std::int32_t kApplicationId = 0x53544144;  ///< "STAD"

/// The statements that migrate each version of the schema to the next; the first creates it. Published steps must not
/// be changed, since files were written by them.
std::span<const char* const> schema_steps();

/// Applies the steps after the version of the file in one transaction. The version must not be beyond the last.
void migrate(SqliteConnection& connection, std::span<const char* const> steps);

/// Error message for a file whose version is newer than the last step; empty: it is not.
std::string newer_version_error(std::int64_t version);

}  // namespace stad::serving
