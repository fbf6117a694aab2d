#pragma once

#include <string>

namespace stad::cli {

/// Refuses a path that cannot become a file, before any work is done for it. An empty path stands for "none".
/// @param option the command-line option that names it, for the message
void check_output(const std::string& option, const std::string& path);

/// Refuses an output that would replace another file of the same run.
void check_apart(const std::string& option, const std::string& output, const std::string& other);

}  // namespace stad::cli
