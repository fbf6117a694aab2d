#pragma once

#include <string>

#include <stad/eval/speed.hpp>

namespace stad::cli {

std::string speed_json(const SpeedReport& report);
std::string speed_text(const SpeedReport& report);

}  // namespace stad::cli
