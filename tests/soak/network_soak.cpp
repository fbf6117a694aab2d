// Runs every network method for ten thousand batches: memory must not grow, and predictions must stay finite.

#include <cstdio>
#include <fstream>
#include <string>

#include <malloc.h>

#include "torch/methods.hpp"
#include "torch/tiny_nets.hpp"

namespace {

using namespace stad;
using namespace stad::testing;

constexpr int kBatches = 10'000;
constexpr int kWarmUp = 1'000;
constexpr double kMaxGrowth = 1;  // MB; detects a leak of 120 bytes for each batch

/// Resident memory in MB, after the allocator has returned free memory to the system.
double resident() {
  malloc_trim(0);
  std::ifstream status("/proc/self/statm");
  double whole = 0, resident = 0;
  status >> whole >> resident;
  return resident * 4096 / 1e6;
}

bool soak(const std::string& method, const OptionValues& options) {
  auto adapter = backbone::make_network_adapter(method, source_network_of(tiny_cnn()), options);
  if (!adapter) return std::printf("%s: %s\n", method.c_str(), adapter.error().message.c_str()), false;
  double before = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    if (batch == kWarmUp) before = resident();
    const auto answer = (*adapter)->adapt(random_pixels(static_cast<std::uint64_t>(batch), 4));
    if (!answer) return std::printf("%s\n", answer.error().message.c_str()), false;
  }
  const double growth = resident() - before;
  std::printf("%-14s %d batches, %+.2f MB after the first %d (%.0f MB in all)\n", method.c_str(), kBatches, growth,
              kWarmUp, before + growth);
  return growth < kMaxGrowth;
}

}  // namespace

int main() {
  bool passed = true;
  for (const char* method : {"source", "stad-vmf", "bn", "tent", "shot", "sar", "cmf", "stad-vmf+bn"})
    passed = soak(method, {}) && passed;
  passed = soak("cotta", {{"augmentations", "2"}}) && passed;
  passed = soak("rotta", {{"memory", "16"}, {"update_every", "8"}}) && passed;
  return passed ? 0 : 1;
}
