// Whole adapt() steps of every method over a few shapes, each compared with the reference implementation and then
// timed.

#include <set>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <stad/methods.hpp>

#include "require.hpp"
#include "speed/synthetic_stream.hpp"
#include "speed/verify.hpp"

namespace stad::benchmarks {
namespace {

constexpr speed::BatchShape kShapes[] = {{1, 512, 10}, {100, 512, 10}, {2048, 32, 2}, {64, 1024, 62}};
// The time of a step of stad-gauss is cubic in the dimension.
constexpr Index kMostGaussDimensions = 32;

/// Verifies each case once, although a benchmark is called several times.
void verify_once(const SpeedSettings& settings, const std::string& name) {
  static std::set<std::string> verified;
  if (!verified.insert(name).second) return;
  const auto result = speed::verify(settings);
  require(result.ok(), result ? "" : result.error().message);
}

void time_steps(benchmark::State& state, const SpeedSettings& settings, const std::string& name) {
  verify_once(settings, name);
  const auto stream = speed::synthetic_stream({settings.samples, settings.dimension, settings.classes}, settings.seed);
  const auto adapter = make_adapter(settings.method, stream.source, settings.options);
  require(adapter.ok(), adapter ? "" : adapter.error().message);
  Predictions answer;
  Index next = 0;
  const auto step = [&] {
    const auto status = (*adapter)->adapt(stream.batch(next++), answer);
    require(status.ok(), status ? "" : status.error().message);
  };
  for (Index i = 2 * (speed::window_of((*adapter)->options()) + 1); i > 0; --i) step();
  for (auto _ : state) step();
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * settings.samples);
}

void register_steps() {
  for (const auto& method : methods())
    for (const auto& shape : kShapes) {
      if (method.name == "stad-gauss" && shape.dimension > kMostGaussDimensions) continue;
      SpeedSettings settings;
      settings.method = method.name;
      settings.samples = shape.samples;
      settings.dimension = shape.dimension;
      settings.classes = shape.classes;
      const auto name = fmt::format("{}/{}x{}x{}", method.name, shape.samples, shape.dimension, shape.classes);
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        time_steps(state, settings, name);
      })->Unit(benchmark::kMicrosecond);
    }
}

}  // namespace
}  // namespace stad::benchmarks

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  stad::benchmarks::register_steps();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
