#include "server/console/console_files.hpp"

namespace stad::server {

std::span<const ConsoleFile> console_files() { return {}; }

}  // namespace stad::server
