#pragma once

#include <string_view>

namespace stad::server {

/// A file that is built in: openapi.json.
std::string_view service_file(std::string_view name);

}  // namespace stad::server
