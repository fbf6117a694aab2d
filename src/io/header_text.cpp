#include "io/header_text.hpp"

#include <charconv>

#include <fmt/core.h>

#include "io/shown.hpp"

namespace stad {

void HeaderText::skip_space() {
  const auto first = rest_.find_first_not_of(" \t\r\n");
  rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
}

bool HeaderText::next_is(char c) {
  skip_space();
  return rest_.starts_with(c);
}

bool HeaderText::take(char c) {
  if (!next_is(c)) return false;
  rest_.remove_prefix(1);
  return true;
}

bool HeaderText::done() {
  skip_space();
  return rest_.empty();
}

Result<std::string> HeaderText::take_string() {
  const char quote = next_is('\'') ? '\'' : '"';
  const auto end = next_is(quote) ? rest_.find(quote, 1) : std::string_view::npos;
  if (end == std::string_view::npos)
    return invalid(fmt::format("npy header: {} is where quoted text must stand", shown(rest_)));
  std::string content(rest_.substr(1, end - 1));
  rest_.remove_prefix(end + 1);
  return content;
}

Result<bool> HeaderText::take_boolean() {
  skip_space();
  for (const std::string_view word : {"True", "False"}) {
    if (!rest_.starts_with(word)) continue;
    rest_.remove_prefix(word.size());
    return word == "True";
  }
  return invalid(fmt::format("npy header: fortran_order is {}, must be True or False", shown(rest_)));
}

Result<Index> HeaderText::take_integer() {
  skip_space();
  Index value = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
  if (error != std::errc{})
    return invalid(fmt::format("npy header: shape has {}, must be integers of at most 64 bits", shown(rest_)));
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  if (rest_.starts_with('L')) rest_.remove_prefix(1);  // Python 2 wrote long integers so
  return value;
}

Result<std::string> HeaderText::take_type() { return next_is('[') || next_is('(') ? take_brackets() : take_string(); }

Result<std::string> HeaderText::take_brackets() {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    const char c = rest_[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '(') {
      ++depth;
    } else if ((c == ']' || c == ')') && --depth == 0) {
      std::string content(rest_.substr(0, i + 1));
      rest_.remove_prefix(i + 1);
      return content;
    }
  }
  return invalid("npy header: descr has an open bracket");
}

}  // namespace stad
