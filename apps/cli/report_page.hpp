#pragma once

#include <string>

#include "common/json_text.hpp"

namespace stad::cli {

/// One self-contained page: no request leaves it. What a report may hold is said at the top of web/report/page.js.
std::string report_page(const Json& report);

}  // namespace stad::cli
