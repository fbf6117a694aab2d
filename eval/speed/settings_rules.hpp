#pragma once

#include <stad/error.hpp>
#include <stad/eval/speed.hpp>

namespace stad::speed {

/// The first setting that breaks its rule, or sizes that together need too much memory.
Status check_settings(const SpeedSettings& settings);

}  // namespace stad::speed
