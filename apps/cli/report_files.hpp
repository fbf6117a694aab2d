#pragma once

#include <string_view>

namespace stad::cli {

/// A file of web/report by its name, embedded when the command is built; empty where there is none.
std::string_view report_file(std::string_view file);

}  // namespace stad::cli
