#include "cli/seed_option.hpp"

#include <charconv>

#include <CLI/CLI.hpp>

namespace stad::cli {
namespace {

/// The parser's own conversion turns -1 and numbers too large into other seeds without a word.
std::string complaint_about(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (error == std::errc() && stop == end) return "";
  return text + ", must be a whole number from 0 to 18446744073709551615";
}

}  // namespace

void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& meaning) {
  command.add_option("--seed", seed, meaning)->check(CLI::Validator(complaint_about, ""))->capture_default_str();
}

}  // namespace stad::cli
