#pragma once

#include <span>
#include <string_view>

namespace stad::server {

/// A file of the page (web/console), as it was built.
struct ConsoleFile {
  std::string_view path;  ///< "/" or "/assets/NAME"; names of assets change with their content
  std::string_view content_type;
  std::string_view content;
  std::string_view gzip;  ///< the same, compressed
};

/// All of them; none where the program was built without the page.
std::span<const ConsoleFile> console_files();

}  // namespace stad::server
