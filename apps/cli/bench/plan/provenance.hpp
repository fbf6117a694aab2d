#pragma once

#include <string>

namespace stad::cli::bench {

/// The processor and the system, in a line.
const std::string& machine_name();

/// Tells builds apart: a result is used again only if the very same command and library made it, whatever their
/// version says.
std::string program_fingerprint();

}  // namespace stad::cli::bench
