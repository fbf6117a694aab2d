#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <stad/error.hpp>

#include "io/bytes.hpp"

namespace stad {

/// Converts text of unknown origin to UTF-8 without control characters, safe for terminals and JSON. Other bytes become
/// \xNN.
std::string printable(std::string_view text);

/// The same for messages: quoted and cut to 60 bytes.
std::string shown(std::string_view text);

/// The quoted names separated by commas, at most 20 of them.
std::string listed(std::span<const std::string> names);

/// Prepends the place of the error, a file or an array in it, to its message.
Error within(std::string_view place, Error error);

// Conversions between the text types of numpy and UTF-8. None if the input is not valid Unicode. numpy pads with NUL
// characters, so trailing ones are removed.

std::optional<std::string> utf32_to_utf8(Bytes utf32, bool big_endian);
std::optional<std::u32string> utf8_to_utf32(std::string_view utf8);

/// Validates bytes that are UTF-8 already and removes the padding.
std::optional<std::string> trimmed_utf8(Bytes utf8);

}  // namespace stad
