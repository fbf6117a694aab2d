#include "common/toml_table.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

// In debug builds the parser asserts what a hostile file can break; every build shall refuse such a file instead.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace stad::cli {
namespace {

constexpr std::size_t kLongestLine = 100'000;
constexpr std::size_t kLargestFile = 10'000'000;

Place place_of_node(const std::string& file, const toml::node& node) {
  return {file, static_cast<int>(node.source().begin.line)};
}

std::string kind_of(const toml::node& node) {
  if (node.is_string()) return "a text";
  if (node.is_integer()) return "an integer";
  if (node.is_floating_point()) return "a number";
  if (node.is_boolean()) return "true or false";
  if (node.is_array()) return "a list";
  return node.is_table() ? "a table" : "a date or time";
}

[[noreturn]] void refuse_kind(const std::string& file, const std::string& key, const toml::node& node,
                              const std::string& rule) {
  refuse_at(place_of_node(file, node), fmt::format("{} is {}, must be {}", key, kind_of(node), rule));
}

/// The node itself, or the entries of a list.
std::vector<const toml::node*> entries_of(const toml::node* node) {
  if (!node) return {};
  const toml::array* list = node->as_array();
  if (!list) return {node};
  std::vector<const toml::node*> entries;
  for (const toml::node& entry : *list) entries.push_back(&entry);
  return entries;
}

double number_in(const std::string& file, const std::string& key, const toml::node& node) {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value) refuse_kind(file, key, node, "a finite number");
  if (!std::isfinite(*value))
    refuse_at(place_of_node(file, node), fmt::format("{} is {}, must be a finite number", key, *value));
  return *value;
}

std::int64_t integer_in(const std::string& file, const std::string& key, const toml::node& node, std::int64_t least) {
  if (!node.is_integer()) refuse_kind(file, key, node, "an integer");
  const std::int64_t value = **node.as_integer();
  if (value < least)
    refuse_at(place_of_node(file, node), fmt::format("{} is {}, must be at least {}", key, value, least));
  return value;
}

/// As `stad adapt -O` would have it.
std::string option_text(const std::string& file, const std::string& key, const toml::node& node) {
  if (const auto* text = node.as_string()) return **text;
  if (const auto* flag = node.as_boolean()) return **flag ? "on" : "off";
  if (const auto* integer = node.as_integer()) return fmt::format("{}", **integer);
  if (node.is_floating_point()) return fmt::format("{}", number_in(file, key, node));
  refuse_kind(file, key, node, "a number, a text, true or false");
}

/// The parser follows the dots of a key by recursion, so a line has a limit.
void check_lines(const std::string& text, const std::string& name) {
  int number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end - begin > kLongestLine)
      refuse_at({name, number}, fmt::format("has {} bytes in a line, must have at most {}", end - begin, kLongestLine));
    begin = end + 1;
  }
}

/// Where a plain text goes on after a quoted one or a comment that begins at `at`.
std::size_t skip_quoted(const std::string& text, std::size_t at) {
  if (text[at] == '#') return std::min(text.find('\n', at), text.size());
  const std::string once(1, text[at]), thrice(3, text[at]);
  const std::string& quote = text.compare(at, 3, thrice) == 0 ? thrice : once;
  for (at += quote.size(); at < text.size(); ++at) {
    if (text.compare(at, quote.size(), quote) == 0) return at + quote.size();
    if (quote.size() == 1 && text[at] == '\n') return at;  // never closed: the parser says so
    if (quote.front() == '"' && text[at] == '\\') ++at;
  }
  return text.size();
}

/// TOML has letters beyond ASCII in quotes and comments only. toml++ 3.3 misjudges some elsewhere (its
/// is_non_ascii_horizontal_whitespace() reaches a branch it calls unreachable), so they never get that far.
void check_letters(const std::string& text, const std::string& name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  for (std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0; at < text.size();) {
    if (text[at] == '#' || text[at] == '"' || text[at] == '\'') {
      at = skip_quoted(text, at);
    } else if (static_cast<unsigned char>(text[at++]) >= 0x80) {
      const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      refuse_at({name, static_cast<int>(lines) + 1}, "has a letter beyond ASCII outside quotes, must have it inside");
    }
  }
}

}  // namespace

void refuse_at(const Place& place, const std::string& message) { reject(place.text() + ": " + message); }

/// Shares the parsed file, and points at one of its tables.
struct TomlTable::Node {
  std::shared_ptr<const toml::table> file;
  const toml::table* table;

  const toml::node* find(const std::string& key) const { return table->get(key); }
};

TomlTable::TomlTable(std::shared_ptr<const Node> node, Place place)
    : node_(std::move(node)), place_(std::move(place)) {}

std::string read_toml_text(const std::string& path) {
  std::error_code ignored;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path, ignored)) reject(path + ": cannot be read");
  std::string text(kLargestFile + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kLargestFile)
    reject(fmt::format("{}: is too large, must have at most {} bytes", path, kLargestFile));
  return text;
}

TomlTable TomlTable::parse(const std::string& text, const std::string& name) {
  check_lines(text, name);
  check_letters(text, name);
  try {
    const auto file = std::make_shared<const toml::table>(toml::parse(text, name));
    return TomlTable(std::make_shared<const Node>(Node{file, file.get()}), {name, 1});
  } catch (const toml::parse_error& mistake) {
    refuse_at({name, static_cast<int>(mistake.source().begin.line)}, std::string(mistake.description()));
  }
}

Place TomlTable::place_of(const std::string& key) const {
  const toml::node* node = node_->find(key);
  return node ? place_of_node(place_.file, *node) : place_;
}

bool TomlTable::has(const std::string& key) const { return node_->find(key) != nullptr; }

bool TomlTable::is_table(const std::string& key) const {
  const toml::node* node = node_->find(key);
  return node && node->is_table();
}

std::string TomlTable::text(const std::string& key) {
  const auto found = texts(key);
  if (found.size() != 1)
    refuse_at(place_of(key), fmt::format("{} is {}, must be one text", key, has(key) ? "a list" : "missing"));
  return found.front();
}

std::string TomlTable::text(const std::string& key, const std::string& otherwise) {
  asked_.push_back(key);
  return has(key) ? text(key) : otherwise;
}

std::vector<std::string> TomlTable::texts(const std::string& key) {
  asked_.push_back(key);
  std::vector<std::string> found;
  for (const toml::node* node : entries_of(node_->find(key))) {
    if (!node->is_string()) refuse_kind(place_.file, key, *node, "a text");
    found.push_back(**node->as_string());
    if (found.back().empty()) refuse_at(place_of_node(place_.file, *node), key + " is empty, must say something");
  }
  return found;
}

std::optional<double> TomlTable::number(const std::string& key) {
  const auto found = numbers(key);
  if (has(key) && found.size() != 1) refuse_at(place_of(key), key + " is a list, must be one number");
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<double> TomlTable::numbers(const std::string& key) {
  asked_.push_back(key);
  std::vector<double> found;
  for (const toml::node* node : entries_of(node_->find(key))) found.push_back(number_in(place_.file, key, *node));
  return found;
}

std::optional<std::int64_t> TomlTable::integer(const std::string& key, std::int64_t least) {
  const auto found = integers(key, least);
  if (has(key) && found.size() != 1) refuse_at(place_of(key), key + " is a list, must be one integer");
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<std::int64_t> TomlTable::integers(const std::string& key, std::int64_t least) {
  asked_.push_back(key);
  std::vector<std::int64_t> found;
  for (const toml::node* node : entries_of(node_->find(key)))
    found.push_back(integer_in(place_.file, key, *node, least));
  return found;
}

bool TomlTable::flag(const std::string& key, bool otherwise) {
  asked_.push_back(key);
  const toml::node* node = node_->find(key);
  if (!node) return otherwise;
  if (!node->is_boolean()) refuse_kind(place_.file, key, *node, "true or false");
  return **node->as_boolean();
}

std::vector<TomlTable> TomlTable::tables(const std::string& key) {
  asked_.push_back(key);
  std::vector<TomlTable> found;
  const toml::node* list = node_->find(key);
  if (list && !list->is_array()) refuse_kind(place_.file, key, *list, "a list of tables, [[" + key + "]]");
  for (const toml::node* node : entries_of(list)) {
    if (!node->is_table()) refuse_kind(place_.file, key, *node, "a table, [[" + key + "]]");
    found.push_back(TomlTable(std::make_shared<const Node>(Node{node_->file, node->as_table()}),
                              place_of_node(place_.file, *node)));
  }
  return found;
}

std::optional<TomlTable> TomlTable::table(const std::string& key) {
  asked_.push_back(key);
  const toml::node* node = node_->find(key);
  if (!node) return std::nullopt;
  if (!node->is_table()) refuse_kind(place_.file, key, *node, "a table");
  return TomlTable(std::make_shared<const Node>(Node{node_->file, node->as_table()}),
                   place_of_node(place_.file, *node));
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::pair<std::pair<int, int>, std::string>> found;
  for (const auto& [key, node] : *node_->table) {
    const auto at = key.source().begin;
    found.push_back({{static_cast<int>(at.line), static_cast<int>(at.column)}, std::string(key.str())});
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (auto& [at, name] : found) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> TomlTable::values(const std::string& key) {
  asked_.push_back(key);
  std::vector<std::string> found;
  for (const toml::node* node : entries_of(node_->find(key))) found.push_back(option_text(place_.file, key, *node));
  return found;
}

void TomlTable::finish(const std::string& what) const {
  for (const std::string& key : keys()) {
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    auto known = asked_;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    refuse_at(place_of(key), fmt::format("unknown key {} in {}, must be one of {}", key, what, fmt::join(known, ", ")));
  }
}

}  // namespace stad::cli
