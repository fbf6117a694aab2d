#pragma once

#include <span>
#include <string>
#include <string_view>

#include <stad/error.hpp>

namespace stad {

/// Text of unknown origin as UTF-8 without control characters, which terminals and JSON can bear; other bytes are
/// written as \xNN.
std::string printable(std::string_view text);

/// The same for messages: quoted, and not endless.
std::string shown(std::string_view text);

/// What there is instead of what was asked for; the first of many.
std::string listed(std::span<const std::string> names);

/// The same error, said of a place: a file, or an array in it.
Error within(std::string_view place, Error error);

}  // namespace stad
