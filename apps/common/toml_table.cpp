#include "common/toml_table.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

// The assertions of the parser in debug builds can be violated by a malformed file, which must be rejected instead.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace stad::cli {
namespace {

constexpr std::size_t kLongestLine = 100'000;
constexpr std::size_t kLargestFile = 10'000'000;

TomlPlace place_of_node(const std::string& file, const toml::node& node) {
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

[[noreturn]] void reject_kind(const std::string& file, const std::string& key, const toml::node& node,
                              const std::string& rule) {
  reject_at(place_of_node(file, node), fmt::format("{} is {}, must be {}", key, kind_of(node), rule));
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
  if (!value) reject_kind(file, key, node, "a finite number");
  if (!std::isfinite(*value))
    reject_at(place_of_node(file, node), fmt::format("{} is {}, must be a finite number", key, *value));
  return *value;
}

std::int64_t integer_in(const std::string& file, const std::string& key, const toml::node& node, std::int64_t least) {
  if (!node.is_integer()) reject_kind(file, key, node, "an integer");
  const std::int64_t value = **node.as_integer();
  if (value < least)
    reject_at(place_of_node(file, node), fmt::format("{} is {}, must be at least {}", key, value, least));
  return value;
}

/// The value in the notation of `stad adapt -O`.
std::string option_text(const std::string& file, const std::string& key, const toml::node& node) {
  if (const auto* text = node.as_string()) return **text;
  if (const auto* flag = node.as_boolean()) return **flag ? "on" : "off";
  if (const auto* integer = node.as_integer()) return fmt::format("{}", **integer);
  if (node.is_floating_point()) return fmt::format("{}", number_in(file, key, node));
  reject_kind(file, key, node, "a number, a text, true or false");
}

/// Limits the length of a line, because the parser recurses for every dot of a key.
void check_lines(const std::string& text, const std::string& name) {
  int number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end - begin > kLongestLine)
      reject_at({name, number}, fmt::format("has {} bytes in a line, must have at most {}", end - begin, kLongestLine));
    begin = end + 1;
  }
}

/// The position after the quoted text or comment that begins at `at`.
std::size_t skip_quoted(const std::string& text, std::size_t at) {
  if (text[at] == '#') return std::min(text.find('\n', at), text.size());
  const std::string once(1, text[at]), thrice(3, text[at]);
  const std::string& quote = text.compare(at, 3, thrice) == 0 ? thrice : once;
  for (at += quote.size(); at < text.size(); ++at) {
    if (text.compare(at, quote.size(), quote) == 0) return at + quote.size();
    if (quote.size() == 1 && text[at] == '\n') return at;  // never closed: the parser reports it
    if (quote.front() == '"' && text[at] == '\\') ++at;
  }
  return text.size();
}

/// TOML allows letters beyond ASCII in quotes and comments only. Elsewhere some of them lead toml++ 3.3 into undefined
/// behaviour (a branch of is_non_ascii_horizontal_whitespace() marked as unreachable), so they are rejected before it.
void check_letters(const std::string& text, const std::string& name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  for (std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0; at < text.size();) {
    if (text[at] == '#' || text[at] == '"' || text[at] == '\'') {
      at = skip_quoted(text, at);
    } else if (static_cast<unsigned char>(text[at++]) >= 0x80) {
      const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      reject_at({name, static_cast<int>(lines) + 1}, "has a letter beyond ASCII outside quotes, must have it inside");
    }
  }
}

}  // namespace

void reject_at(const TomlPlace& place, const std::string& message) { reject(place.text() + ": " + message); }

/// Shared ownership of the parsed file, and one of its tables.
struct TomlTable::Node {
  std::shared_ptr<const toml::table> file;
  const toml::table* table;

  const toml::node* find(const std::string& key) const { return table->get(key); }
};

TomlTable::TomlTable(std::shared_ptr<const Node> node, TomlPlace place)
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
  } catch (const toml::parse_error& error) {
    reject_at({name, static_cast<int>(error.source().begin.line)}, std::string(error.description()));
  }
}

TomlPlace TomlTable::place_of(const std::string& key) const {
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
    reject_at(place_of(key), fmt::format("{} is {}, must be one text", key, has(key) ? "a list" : "missing"));
  return found.front();
}

std::string TomlTable::text(const std::string& key, const std::string& fallback) {
  read_keys_.push_back(key);
  return has(key) ? text(key) : fallback;
}

std::vector<std::string> TomlTable::texts(const std::string& key) {
  read_keys_.push_back(key);
  std::vector<std::string> found;
  for (const toml::node* node : entries_of(node_->find(key))) {
    if (!node->is_string()) reject_kind(place_.file, key, *node, "a text");
    found.push_back(**node->as_string());
    if (found.back().empty()) reject_at(place_of_node(place_.file, *node), key + " is empty, must not be");
  }
  return found;
}

std::optional<double> TomlTable::number(const std::string& key) {
  const auto found = numbers(key);
  if (has(key) && found.size() != 1) reject_at(place_of(key), key + " is a list, must be one number");
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<double> TomlTable::numbers(const std::string& key) {
  read_keys_.push_back(key);
  std::vector<double> found;
  for (const toml::node* node : entries_of(node_->find(key))) found.push_back(number_in(place_.file, key, *node));
  return found;
}

std::optional<std::int64_t> TomlTable::integer(const std::string& key, std::int64_t least) {
  const auto found = integers(key, least);
  if (has(key) && found.size() != 1) reject_at(place_of(key), key + " is a list, must be one integer");
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<std::int64_t> TomlTable::integers(const std::string& key, std::int64_t least) {
  read_keys_.push_back(key);
  std::vector<std::int64_t> found;
  for (const toml::node* node : entries_of(node_->find(key)))
    found.push_back(integer_in(place_.file, key, *node, least));
  return found;
}

bool TomlTable::flag(const std::string& key, bool fallback) {
  read_keys_.push_back(key);
  const toml::node* node = node_->find(key);
  if (!node) return fallback;
  if (!node->is_boolean()) reject_kind(place_.file, key, *node, "true or false");
  return **node->as_boolean();
}

std::vector<TomlTable> TomlTable::tables(const std::string& key) {
  read_keys_.push_back(key);
  std::vector<TomlTable> found;
  const toml::node* list = node_->find(key);
  if (list && !list->is_array()) reject_kind(place_.file, key, *list, "a list of tables, [[" + key + "]]");
  for (const toml::node* node : entries_of(list)) {
    if (!node->is_table()) reject_kind(place_.file, key, *node, "a table, [[" + key + "]]");
    found.push_back(TomlTable(std::make_shared<const Node>(Node{node_->file, node->as_table()}),
                              place_of_node(place_.file, *node)));
  }
  return found;
}

std::optional<TomlTable> TomlTable::table(const std::string& key) {
  read_keys_.push_back(key);
  const toml::node* node = node_->find(key);
  if (!node) return std::nullopt;
  if (!node->is_table()) reject_kind(place_.file, key, *node, "a table");
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
  names.reserve(found.size());
  for (auto& [at, name] : found) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> TomlTable::values(const std::string& key) {
  read_keys_.push_back(key);
  std::vector<std::string> found;
  for (const toml::node* node : entries_of(node_->find(key))) found.push_back(option_text(place_.file, key, *node));
  return found;
}

void TomlTable::finish(const std::string& what) const {
  for (const std::string& key : keys()) {
    if (std::find(read_keys_.begin(), read_keys_.end(), key) != read_keys_.end()) continue;
    auto known = read_keys_;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    reject_at(place_of(key), fmt::format("unknown key {} in {}, must be one of {}", key, what, fmt::join(known, ", ")));
  }
}

}  // namespace stad::cli
