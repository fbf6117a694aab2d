#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include <sqlite3.h>

namespace stad::serving::testing {

/// Runs statements on a file behind the store's back; gives the first value they answer.
inline std::string first_value(const std::string& path, const std::string& statements) {
  sqlite3* handle = nullptr;
  const int opened = sqlite3_open(path.c_str(), &handle);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closes(handle, sqlite3_close);
  std::string value;
  const auto keep = [](void* to, int, char** values, char**) {
    if (auto& kept = *static_cast<std::string*>(to); kept.empty() && values[0]) kept = values[0];
    return 0;
  };
  if (opened != SQLITE_OK || sqlite3_exec(handle, statements.c_str(), keep, &value, nullptr) != SQLITE_OK)
    throw std::runtime_error(path + ": " + sqlite3_errmsg(handle));
  return value;
}

inline void execute(const std::string& path, const std::string& statements) { first_value(path, statements); }

}  // namespace stad::serving::testing
