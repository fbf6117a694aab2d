#pragma once

#include <string>
#include <string_view>

namespace stad::server {

/// Throws Refusal where the text is not base64.
std::string from_base64(std::string_view text);

}  // namespace stad::server
