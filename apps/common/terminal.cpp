#include "common/terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "common/error.hpp"

namespace stad::cli {
namespace {

bool in_colour() {
  static const bool result = [] {
    const char* no_color = std::getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color);
  }();
  return result;
}

const char* code_of(Tone tone) {
  switch (tone) {
    case Tone::kBold:
      return "\033[1m";
    case Tone::kFaint:
      return "\033[2m";
    case Tone::kBetter:
      return "\033[32m";
    case Tone::kWorse:
      return "\033[31m";
    case Tone::kPlain:
      break;
  }
  return "";
}

/// The number of code points: most terminals show each in one column.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::size_t> widths_of(const std::vector<std::vector<Cell>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(printable(row[c].text)));
  }
  return widths;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result(text);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto byte = static_cast<unsigned char>(result[i]);
    const auto next = static_cast<unsigned char>(i + 1 < result.size() ? result[i + 1] : 0);
    if (byte < 0x20 || byte == 0x7F) result[i] = ' ';
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) result.replace(i, 2, " ");  // U+0080 to U+009F: control codes too
  }
  return result;
}

std::string toned(std::string_view text, Tone tone) {
  if (!in_colour() || tone == Tone::kPlain) return std::string(text);
  return code_of(tone) + std::string(text) + "\033[0m";
}

std::string table(const std::vector<std::vector<Cell>>& rows) {
  const auto widths = widths_of(rows);
  std::string lines;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string text = printable(rows[r][c].text);
      const std::string gap(widths[c] - width_of(text), ' ');
      const std::string shown = toned(text, r == 0 ? Tone::kBold : rows[r][c].tone);
      line += (c ? "  " : "") + (c ? gap + shown : shown + gap);
    }
    lines += line + "\n";
  }
  return lines;
}

void write_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw AppError{failed("standard output: cannot be written")};
}

}  // namespace stad::cli
