#include "common/output_path.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/core.h>

#include "common/error.hpp"

namespace stad::cli {

namespace fs = std::filesystem;

void check_output(const std::string& option, const std::string& path) {
  if (path.empty()) return;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) reject(fmt::format("{} {}: is a directory, must be a file", option, path));
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty() && !fs::is_directory(parent, ignored))
    reject(fmt::format("{} {}: the directory {} does not exist", option, path, parent.string()));
}

void check_apart(const std::string& option, const std::string& output, const std::string& other) {
  if (output.empty() || other.empty()) return;
  std::error_code ignored;
  const auto canonical = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  };
  if (fs::equivalent(output, other, ignored) || canonical(output) == canonical(other))
    reject(fmt::format("{} {}: is the same file as {}, must be another file", option, output, other));
}

}  // namespace stad::cli
