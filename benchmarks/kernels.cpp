// The functions that a batch is made of, each held against a plain loop and then timed.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/random.hpp"
#include "math/bessel_ratio.hpp"
#include "math/inner_product.hpp"
#include "math/log_normaliser.hpp"
#include "math/nearest_rows.hpp"
#include "math/softmax.hpp"
#include "math/unit_rows.hpp"
#include "require.hpp"

namespace stad::benchmarks {
namespace {

Matrix random_rows(Index rows, Index cols) {
  Random random(1);
  Matrix values(rows, cols);
  for (Index r = 0; r < rows; ++r)
    for (float& x : values.row(r)) x = static_cast<float>(random.normal());
  return values;
}

void require_close(const char* what, double found, double expected, double relative) {
  require(std::abs(found - expected) <= relative * std::max(1e-30, std::abs(expected)),
          fmt::format("{} gives {}, a plain loop {}", what, found, expected));
}

double plain_product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

void time_unit_rows(benchmark::State& state) {
  const Matrix rows = random_rows(state.range(0), state.range(1));
  const auto unit = unit_rows<float>(rows);
  for (Index r = 0; r < rows.rows(); ++r) {
    const double length = std::sqrt(plain_product(rows.row(r), rows.row(r)));
    for (Index c = 0; c < rows.cols(); ++c)
      require(std::abs(unit.rows(r, c) - rows(r, c) / length) <= 1e-6, "unit_rows differs from a plain loop");
  }
  for (auto _ : state) benchmark::DoNotOptimize(unit_rows<float>(rows));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * rows.size() * 4);
}
BENCHMARK(time_unit_rows)->Name("unit_rows")->Args({100, 512})->Args({64, 2048})->Args({2048, 32});

void time_softmax(benchmark::State& state) {
  const Matrix drawn = random_rows(1, state.range(0));
  const std::vector<double> logits(drawn.row(0).begin(), drawn.row(0).end());
  std::vector<float> probabilities(logits.size());
  softmax(logits, std::span(probabilities));
  const double sum =
      std::accumulate(logits.begin(), logits.end(), 0.0, [](double s, double x) { return s + std::exp(x); });
  for (std::size_t k = 0; k < logits.size(); ++k)
    require_close("softmax", probabilities[k], std::exp(logits[k]) / sum, 1e-6);
  for (auto _ : state) {
    softmax(logits, std::span(probabilities));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(0));
}
BENCHMARK(time_softmax)->Name("softmax")->Arg(2)->Arg(10)->Arg(62)->Arg(1000);

/// Gauss' continued fraction from far behind: thousands of terms, no cleverness.
double plain_bessel_ratio(Index dimension, double kappa) {
  double ratio = 0;
  for (int term = 20'000; term >= 0; --term) ratio = 1 / ((static_cast<double>(dimension) + 2 * term) / kappa + ratio);
  return ratio;
}

void time_bessel_ratio(benchmark::State& state) {
  const auto dimension = static_cast<Index>(state.range(0));
  const auto kappa = static_cast<double>(state.range(1));
  require_close("bessel_ratio", bessel_ratio(dimension, kappa), plain_bessel_ratio(dimension, kappa), 1e-12);
  double asked = kappa;
  for (auto _ : state) {
    benchmark::DoNotOptimize(asked);
    benchmark::DoNotOptimize(bessel_ratio(dimension, asked));
  }
}
BENCHMARK(time_bessel_ratio)->Name("bessel_ratio")->ArgsProduct({{32, 512, 2048}, {100, 1000}});

/// By the power series of the Bessel function, whose terms are all positive: their logarithms and the largest of them.
double plain_log_normaliser(Index dimension, double kappa) {
  const double order = static_cast<double>(dimension) / 2 - 1;
  std::vector<double> terms;
  for (int m = 0; m < 5000; ++m)
    terms.push_back((2 * m + order) * std::log(kappa / 2) - std::lgamma(m + 1.0) - std::lgamma(m + order + 1));
  const double largest = *std::max_element(terms.begin(), terms.end());
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - largest);
  return order * std::log(kappa) - (order + 1) * std::log(2 * std::numbers::pi) - (largest + std::log(sum));
}

void time_log_normaliser(benchmark::State& state) {
  const auto dimension = static_cast<Index>(state.range(0));
  const auto kappa = static_cast<double>(state.range(1));
  require_close("log_normaliser", log_normaliser(dimension, kappa), plain_log_normaliser(dimension, kappa), 1e-9);
  double asked = kappa;
  for (auto _ : state) {
    benchmark::DoNotOptimize(asked);
    benchmark::DoNotOptimize(log_normaliser(dimension, asked));
  }
}
BENCHMARK(time_log_normaliser)->Name("log_normaliser")->ArgsProduct({{32, 512, 2048}, {100, 1000}});

void time_inner_product(benchmark::State& state) {
  const Matrix rows = random_rows(2, state.range(0));
  const double expected = plain_product(rows.row(0), rows.row(1));
  require(std::abs(inner_product(std::as_const(rows).row(0), std::as_const(rows).row(1)) - expected) <=
              1e-9 * std::max(1.0, std::abs(expected)),
          "inner_product differs from a plain loop");
  for (auto _ : state) benchmark::DoNotOptimize(inner_product(std::as_const(rows).row(0), std::as_const(rows).row(1)));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * rows.size() * 4);
}
BENCHMARK(time_inner_product)->Name("inner_product")->Arg(32)->Arg(512)->Arg(2048);

/// Sorts all the others.
std::vector<Index> plain_nearest(const DoubleRows& unit, Index row, Index count) {
  std::vector<Index> others;
  for (Index i = 0; i < unit.rows(); ++i)
    if (i != row) others.push_back(i);
  std::stable_sort(others.begin(), others.end(),
                   [&](Index a, Index b) { return unit.row(row).dot(unit.row(a)) > unit.row(row).dot(unit.row(b)); });
  others.resize(static_cast<std::size_t>(count));
  return others;
}

void time_nearest_rows(benchmark::State& state) {
  constexpr Index kCount = 5;
  constexpr Index kCompared = 20;  // rows; sorting for each takes long
  const DoubleRows unit = unit_rows<double>(random_rows(state.range(0), state.range(1))).rows;
  const auto nearest = nearest_rows(unit, kCount);
  for (Index row = 0; row < std::min(unit.rows(), kCompared); ++row)
    require(std::ranges::equal(std::span(nearest).subspan(static_cast<std::size_t>(row * kCount), kCount),
                               plain_nearest(unit, row, kCount)),
            fmt::format("nearest_rows of row {} are not those of a plain sort", row));
  for (auto _ : state) benchmark::DoNotOptimize(nearest_rows(unit, kCount));
}
BENCHMARK(time_nearest_rows)->Name("nearest_rows")->Args({100, 512})->Args({1000, 64})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stad::benchmarks

BENCHMARK_MAIN();
