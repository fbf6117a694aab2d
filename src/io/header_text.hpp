#pragma once

#include <string>
#include <string_view>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// Walks over the Python literal in an npy header: just enough of the language for what numpy writes.
class HeaderText {
 public:
  explicit HeaderText(std::string_view text) : rest_(text) {}

  bool next_is(char c);
  bool take(char c);  ///< goes past the character if it is next
  bool done();

  Result<std::string> take_string();
  Result<bool> take_boolean();
  Result<Index> take_integer();

  /// A string, or a record type's bracketed list as it stands.
  Result<std::string> take_type();

 private:
  void skip_space();
  Result<std::string> take_brackets();

  std::string_view rest_;
};

}  // namespace stad
