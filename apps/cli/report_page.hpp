#pragma once

#include <string>

#include "json_text.hpp"

namespace stad::cli {

/// One self-contained page: no request leaves it. The report is what web/report/report.js describes at its top:
/// {title, intro: [text], sections: [{title, text: [text], tables: [...], charts: [...]}], footer: [text]}.
std::string report_page(const Json& report);

}  // namespace stad::cli
