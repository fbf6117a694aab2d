#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/error.hpp"

namespace stad::cli {

/// The file and line of a value, for error messages.
struct TomlPlace {
  std::string file;
  int line = 0;

  std::string text() const { return file + ":" + std::to_string(line); }
};

/// Throws AppError with "file:line: message".
[[noreturn]] void reject_at(const TomlPlace& place, const std::string& message);

/// As need(), with the place before the error message.
template <typename T>
T need_at(const TomlPlace& place, Result<T> result) {
  if (!result) throw AppError{{result.error().kind, place.text() + ": " + result.error().message}};
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// The content of the file. Rejects a file that cannot be read or exceeds 10 MB.
std::string read_toml_text(const std::string& path);

/// One table of a TOML file. Keys are read by name and type; finish() rejects every key that was not read. Each error
/// message names the file and the line. Tables share ownership of the parsed file.
class TomlTable {
 public:
  /// @param name the file that the text came from, for error messages
  static TomlTable parse(const std::string& text, const std::string& name);

  const TomlPlace& place() const { return place_; }
  /// The place of the key, or of the table where the key is absent.
  TomlPlace place_of(const std::string& key) const;

  bool has(const std::string& key) const;
  std::string text(const std::string& key);
  std::string text(const std::string& key, const std::string& fallback);
  std::vector<std::string> texts(const std::string& key);  ///< one text counts as a list of one; empty if absent
  std::optional<double> number(const std::string& key);
  std::vector<double> numbers(const std::string& key);  ///< one number counts as a list of one; empty if absent
  std::optional<std::int64_t> integer(const std::string& key, std::int64_t least);
  std::vector<std::int64_t> integers(const std::string& key, std::int64_t least);
  bool flag(const std::string& key, bool fallback);

  /// The tables [[key]] in the order of the file; empty if absent.
  std::vector<TomlTable> tables(const std::string& key);
  /// [key] or an inline table.
  std::optional<TomlTable> table(const std::string& key);
  bool is_table(const std::string& key) const;
  /// The keys in the order of the file.
  std::vector<std::string> keys() const;
  /// Numbers, texts and flags (on, off) in the notation of `stad adapt -O`; one value counts as a list of one.
  std::vector<std::string> values(const std::string& key);

  /// Rejects every key that was not read.
  /// @param what the kind of table, for the message
  void finish(const std::string& what) const;

 private:
  struct Node;
  explicit TomlTable(std::shared_ptr<const Node> node, TomlPlace place);

  std::shared_ptr<const Node> node_;
  TomlPlace place_;
  std::vector<std::string> read_keys_;
};

}  // namespace stad::cli
