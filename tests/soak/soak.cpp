// Runs every method that supports batches of one row for a million batches: no NaN, no growth of memory or state, no
// slowdown. Not part of the tests, because it takes minutes. stad_soak [BATCHES]

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <stad/methods.hpp>

#include "support/random_stream.hpp"

namespace {

using namespace stad;

/// Processor time, because wall time depends on other load of the machine.
double seconds_spent() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

constexpr int kTenths = 10;

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  long total = 0;
  long resident = 0;
  file >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

double state_megabytes(const Adapter& adapter) {
  double bytes = 0;
  for (const auto& tensor : adapter.state().tensors)
    std::visit([&](const auto& values) { bytes += static_cast<double>(values.size() * sizeof(values[0])); },
               tensor.values);
  return bytes / 1e6;
}

bool finite(const Predictions& answer) {
  for (const float p : answer.probabilities.row(0))
    if (!std::isfinite(p)) return false;
  return true;
}

struct SoakCase {
  std::string method;
  OptionValues options;
};

/// Returns whether the method passed.
bool soak(const SoakCase& tested, const testing::RandomStream& stream, long batches) {
  auto adapter = *make_adapter(tested.method, stream.source(), tested.options);
  std::vector<double> seconds;
  double memory_after_warm_up = 0;
  double state_after_warm_up = 0;
  long next = 0;
  for (int tenth = 0; tenth < kTenths; ++tenth) {
    const double start = seconds_spent();
    for (long i = 0; i < batches / kTenths; ++i, ++next) {
      const auto answer = adapter->adapt(stream.batches[static_cast<std::size_t>(next) % stream.batches.size()]);
      if (!answer || !finite(*answer)) {
        fmt::print("{:<12} FAILED at batch {}\n", tested.method, next);
        return false;
      }
    }
    seconds.push_back(seconds_spent() - start);
    if (tenth == 0) memory_after_warm_up = resident_megabytes(), state_after_warm_up = state_megabytes(*adapter);
  }
  const double growth = resident_megabytes() - memory_after_warm_up;
  const double state_growth = state_megabytes(*adapter) - state_after_warm_up;
  const double slowdown = seconds.back() / seconds[1];
  const bool passed = growth < 4 && state_growth < 0.5 && slowdown < 1.5;  // a shared machine is noisy
  fmt::print(
      "{:<12} {:>8} batches, {:6.2f} us a batch, memory {:+.1f} MB, state {:+.2f} MB, last tenth {:.2f} x the second: "
      "{}\n",
      tested.method, batches, 1e6 * seconds.back() / static_cast<double>(batches / kTenths), growth, state_growth,
      slowdown, passed ? "passed" : "FAILED");
  std::fflush(stdout);
  return passed;
}

}  // namespace

int main(int argc, char** argv) {
  const long batches = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  const auto stream_of = [](Index dimension) {
    return testing::random_stream(
        1, {.classes = 10, .dimension = dimension, .batch_sizes = std::vector<Index>(20'000, 1), .drift = 0.01});
  };
  const auto stream = stream_of(64);
  const std::vector<SoakCase> all{
      {"source", {}},
      {"t3a", {}},
      {"lame", {}},
      {"stad-vmf", {}},
      {"stad-vmf", {{"init", "previous"}, {"kappa_trans", "1000"}}},
      {"stad-vmf", {{"init", "previous"}, {"learn_kappa", "class"}}},
      {"normalise", {}},
      {"prior", {}},
      {"stad-safe", {}},
  };
  bool passed = true;
  for (const SoakCase& tested : all) passed &= soak(tested, stream, batches);
  // Fewer batches, because its D x D matrices are slow.
  passed &= soak({"stad-gauss", {}}, stream_of(8), batches / 10);
  return passed ? 0 : 1;
}
