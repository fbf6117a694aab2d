#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace stad::backbone {

/// What went wrong in torch, in one line: without the interpreter's source lines before it and the stack after it.
inline std::string reason(const std::exception& trouble) {
  constexpr std::string_view kMark = "RuntimeError: ";
  const std::string_view text = trouble.what();
  const auto mark = text.rfind(kMark);
  const auto rest = mark == std::string_view::npos ? text : text.substr(mark + kMark.size());
  return std::string(rest.substr(0, rest.find('\n')));
}

}  // namespace stad::backbone
