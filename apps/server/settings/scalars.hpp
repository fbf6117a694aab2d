#pragma once

#include <cstdint>
#include <string>

namespace stad::server {

// Settings as they are written on the command line, in the environment or in a file. Each throws Refusal, naming the
// setting, the value and the rule.

double number_of(const std::string& name, const std::string& text, double least, double most);
std::int64_t integer_of(const std::string& name, const std::string& text, std::int64_t least, std::int64_t most);
/// "64 MB", "1 GB", "4096": bytes, decimal units.
std::int64_t bytes_of(const std::string& name, const std::string& text);

}  // namespace stad::server
