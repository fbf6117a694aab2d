#pragma once

#include <string>

namespace stad::cli {

/// Rejects a path that cannot become a file, before the work whose result it shall hold. Accepts an empty path, which
/// means that no file is written.
/// @param option the command-line option that holds the path, for the message
void check_output(const std::string& option, const std::string& path);

/// Rejects an output that would replace another file of the same run.
void check_apart(const std::string& option, const std::string& output, const std::string& other);

}  // namespace stad::cli
