#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stad::cli {

enum class Tone { kPlain, kBold, kFaint, kBetter, kWorse };

/// One cell of a table on the terminal.
struct Cell {
  std::string text;
  Tone tone = Tone::kPlain;
};

/// The text with control characters replaced by spaces, so that names read from files cannot control the terminal.
std::string printable(std::string_view text);

/// Wraps the text in the colour code of the tone where standard output is a terminal and NO_COLOR is unset.
std::string toned(std::string_view text, Tone tone);

/// Aligned columns: the first to the left, the others to the right. The first row is the heading.
std::string table(const std::vector<std::vector<Cell>>& rows);

/// Writes the text to standard output. Throws AppError if the write fails.
void write_output(std::string_view text);

}  // namespace stad::cli
