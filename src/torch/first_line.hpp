#pragma once

#include <exception>
#include <string>

namespace stad::backbone {

/// What went wrong in torch, without the pages of stack that follow.
inline std::string first_line(const std::exception& trouble) {
  const std::string text = trouble.what();
  return text.substr(0, text.find('\n'));
}

}  // namespace stad::backbone
