#pragma once

#include <span>
#include <string_view>

namespace stad::server {

/// A file of the built page (web/console).
struct ConsoleFile {
  std::string_view path;  ///< "/" or "/assets/NAME"; names of assets contain a hash of their content
  std::string_view content_type;
  std::string_view content;
  std::string_view gzip;  ///< the content, compressed
};

/// All files of the page; empty where the program was built without it.
std::span<const ConsoleFile> console_files();

}  // namespace stad::server
