#pragma once

#include <cstdint>
#include <string>

#include <stad/backbone.hpp>

namespace stad::cli::bench {

/// The processor and the system, in a line.
const std::string& machine_name();

/// Tells builds apart: a result is used again only if the very same command and library made it, whatever their
/// version says.
std::string program_fingerprint();
/// The same of the library that networks come from.
std::string component_fingerprint(const Backbone& network);

/// Of a file's bytes.
std::uint64_t file_fingerprint(const std::string& path);

}  // namespace stad::cli::bench
