#pragma once

#include <array>
#include <string_view>

namespace stad {

/// A word and the value it stands for.
template <typename Enum>
struct Choice {
  std::string_view name;
  Enum value;
};

inline constexpr std::array kSwitch{Choice<bool>{"on", true}, Choice<bool>{"off", false}};

}  // namespace stad
