#pragma once

#include <string>

namespace stad::cli::bench {

/// The processor and the system, in a line.
std::string machine_name();

/// Tells builds apart: a result is used again only if the very same library made it, whatever its version says.
std::string library_fingerprint();

}  // namespace stad::cli::bench
