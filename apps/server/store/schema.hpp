#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "server/store/sqlite.hpp"

namespace stad::server {

inline constexpr std::int32_t kApplicationId = 0x53544144;  ///< "STAD"

/// The statements that lead from each version of the tables to the next; the first makes them. A step that was
/// published is never changed: files were written by it.
std::span<const char* const> schema_steps();

/// Takes the steps that the file has not taken, all or none. Its version must not be beyond the last.
void bring_up_to_date(Connection& connection, std::span<const char* const> steps);

/// What to tell of a file whose version is beyond the last; empty: it is not.
std::string newer_version_complaint(std::int64_t version);

}  // namespace stad::server
