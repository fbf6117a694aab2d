#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/plan/experiment.hpp"
#include "common/error.hpp"

// Parses any text as an experiment: it is accepted, or an error names a line of the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    stad::cli::bench::parse_experiment(text, "experiment.toml");
  } catch (const stad::AppError& failure) {
    if (!failure.error.message.starts_with("experiment.toml:")) __builtin_trap();
  }
  return 0;
}
