#pragma once

#include <string>

#include <stad/error.hpp>

#include "server/store/sqlite.hpp"

namespace stad::server {

/// Copies the database as it is at one moment to a new file.
Status back_up(Connection& source, const std::string& path);

}  // namespace stad::server
