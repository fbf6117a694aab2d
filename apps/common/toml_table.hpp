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

/// Where a value was written, so that a refusal can name it.
struct Place {
  std::string file;
  int line = 0;

  std::string text() const { return file + ":" + std::to_string(line); }
};

[[noreturn]] void refuse_at(const Place& place, const std::string& message);

/// As need(), with the place before the message.
template <typename T>
T need_at(const Place& place, Result<T> result) {
  if (!result) throw AppError{{result.error().kind, place.text() + ": " + result.error().message}};
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// The whole file, refused where it cannot be read or is larger than any such file.
std::string read_toml_text(const std::string& path);

/// One table of a TOML file. A key is read by asking for it by name and type; finish() refuses every key nobody asked
/// for. Each refusal names the file and the line. Values live as long as any table of the file does.
class TomlTable {
 public:
  /// @param name what the text came from, for messages
  static TomlTable parse(const std::string& text, const std::string& name);

  const Place& place() const { return place_; }
  /// Where the key is, or the table where it is absent.
  Place place_of(const std::string& key) const;

  bool has(const std::string& key) const;
  std::string text(const std::string& key);
  std::string text(const std::string& key, const std::string& otherwise);
  std::vector<std::string> texts(const std::string& key);  ///< one text counts as a list of one; absent: none
  std::optional<double> number(const std::string& key);
  std::vector<double> numbers(const std::string& key);  ///< one number counts as a list of one; absent: none
  std::optional<std::int64_t> integer(const std::string& key, std::int64_t least);
  std::vector<std::int64_t> integers(const std::string& key, std::int64_t least);
  bool flag(const std::string& key, bool otherwise);

  /// [[key]] in the order of the file, or none.
  std::vector<TomlTable> tables(const std::string& key);
  /// [key] or an inline table.
  std::optional<TomlTable> table(const std::string& key);
  bool is_table(const std::string& key) const;
  /// The keys in the order of the file.
  std::vector<std::string> keys() const;
  /// Numbers, texts and switches (on, off) as a person writes an option; one value counts as a list of one.
  std::vector<std::string> values(const std::string& key);

  /// Refuses what was not asked for.
  /// @param what the kind of table, for the message
  void finish(const std::string& what) const;

 private:
  struct Node;
  explicit TomlTable(std::shared_ptr<const Node> node, Place place);

  std::shared_ptr<const Node> node_;
  Place place_;
  std::vector<std::string> asked_;
};

}  // namespace stad::cli
