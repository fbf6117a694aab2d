#pragma once

#include <string>
#include <string_view>

#include "common/json_text.hpp"

namespace stad::cli {

/// A self-contained HTML page that makes no requests. The fields of a report are documented in web/report/page.js.
std::string report_page(const Json& report);

/// A file of web/report, or web/palette.css, embedded at build time; empty for an unknown name.
std::string_view report_file(std::string_view file);

}  // namespace stad::cli
