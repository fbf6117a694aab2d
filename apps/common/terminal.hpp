#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stad::cli {

enum class Tone { kPlain, kBold, kFaint, kBetter, kWorse };

struct Cell {
  std::string text;
  Tone tone = Tone::kPlain;
};

/// Text without control characters: names in a file must not steer the terminal.
std::string printable(std::string_view text);

/// In colour where standard output is a terminal and NO_COLOR is unset.
std::string toned(std::string_view text, Tone tone);

/// Rows of cells as aligned columns, the first to the left, the others to the right. The first row is the heading.
std::string table(const std::vector<std::vector<Cell>>& rows);

/// To standard output; a failed write ends the command.
void say(std::string_view text);

}  // namespace stad::cli
