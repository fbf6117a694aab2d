#pragma once

#include <string_view>

namespace stad::cli {

// web/report, embedded when the command is built.
extern const std::string_view kReportHtml;
extern const std::string_view kReportCss;
extern const std::string_view kReportScript;

}  // namespace stad::cli
