#include "cli/method_option.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace stad::cli {

void add_method_option(CLI::App& command, std::vector<std::string>& written) {
  command.add_option("-O,--option", written, "An option of the method as key=value; may be repeated")
      ->allow_extra_args(false);
}

OptionValues split_options(const std::vector<std::string>& written) {
  OptionValues values;
  for (const auto& text : written) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      reject(fmt::format("-O {}: must have the form key=value (see stad methods)", text));
    values.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return values;
}

}  // namespace stad::cli
