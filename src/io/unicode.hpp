#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/bytes.hpp"

namespace stad {

// Text between numpy's arrays and ours. None where the input is not valid Unicode. numpy pads with NUL characters,
// so those at the end are not part of the text.

std::optional<std::string> utf32_to_utf8(Bytes utf32, bool big_endian);
std::optional<std::u32string> utf8_to_utf32(std::string_view utf8);

/// Bytes that are UTF-8 already.
std::optional<std::string> trimmed_utf8(Bytes utf8);

}  // namespace stad
