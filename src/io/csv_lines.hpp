#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// Walks over the lines of a csv text and cuts them into fields. A byte order mark at the start and blank lines at
/// the end are not part of the text; a field may be quoted, on its line.
class CsvLines {
 public:
  explicit CsvLines(std::string_view text);

  bool done() const { return rest_.empty(); }
  Index number() const { return number_; }  ///< of the line taken last, from 1

  /// The fields of the next line, without their quotes; views of the text.
  Status take(std::vector<std::string_view>& fields);

  /// How many lines there are still.
  Index count() const;

 private:
  std::string_view rest_;
  char separator_;
  Index number_ = 0;
};

/// A field as it is meant: inside quotes, two quotes are one.
std::string unescaped(std::string_view field);

}  // namespace stad
