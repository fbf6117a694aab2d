#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stad::server {

/// In quotes, escaped. @param text UTF-8
void append_json(std::string& out, std::string_view text);
void append_json(std::string& out, std::int64_t number);
/// The shortest text that reads back as the same float32; null where JSON has no number for it.
void append_json(std::string& out, float number);

}  // namespace stad::server
