// Parses any text as options: it gives options that are valid and print to the same text, or an error.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <stad/options.hpp>

namespace {

using namespace stad;

/// Parses lines of name=value.
OptionValues split(std::string_view text) {
  OptionValues values;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    const auto equals = line.find('=');
    values.emplace_back(line.substr(0, equals), equals == line.npos ? "" : line.substr(equals + 1));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return values;
}

template <typename Options>
void check(const OptionValues& values) {
  const auto parsed = parse_options<Options>(values);
  if (!parsed) {
    if (parsed.error().message.empty()) std::abort();
    return;
  }
  if (!parsed->validate()) std::abort();
  OptionValues printed;
  for (const auto& setting : resolved_options(*parsed)) printed.emplace_back(setting.name, setting.value);
  const auto again = parse_options<Options>(printed);
  if (!again || resolved_options(*again) != resolved_options(*parsed)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto values = split({reinterpret_cast<const char*>(data), size});
  check<T3aOptions>(values);
  check<LameOptions>(values);
  check<StadVmfOptions>(values);
  check<StadGaussOptions>(values);
  return 0;
}
