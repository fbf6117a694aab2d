// The kernels of a batch, each compared with a simple loop and then timed.

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
#include "math/row_products.hpp"
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
          fmt::format("{} gives {}, a simple loop {}", what, found, expected));
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
      require(std::abs(unit.rows(r, c) - rows(r, c) / length) <= 1e-6, "unit_rows differs from a simple loop");
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

/// The continued fraction of Gauss, evaluated backwards with thousands of terms.
double plain_bessel_ratio(Index dimension, double kappa) {
  double ratio = 0;
  for (int term = 20'000; term >= 0; --term) ratio = 1 / ((static_cast<double>(dimension) + 2 * term) / kappa + ratio);
  return ratio;
}

void time_bessel_ratio(benchmark::State& state) {
  const auto dimension = static_cast<Index>(state.range(0));
  const auto kappa = static_cast<double>(state.range(1));
  require_close("bessel_ratio", bessel_ratio(dimension, kappa), plain_bessel_ratio(dimension, kappa), 1e-12);
  double argument = kappa;
  for (auto _ : state) {
    benchmark::DoNotOptimize(argument);
    benchmark::DoNotOptimize(bessel_ratio(dimension, argument));
  }
}
BENCHMARK(time_bessel_ratio)->Name("bessel_ratio")->ArgsProduct({{32, 512, 2048}, {100, 1000}});

/// From the power series of the Bessel function, whose terms are positive, by log-sum-exp.
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
  double argument = kappa;
  for (auto _ : state) {
    benchmark::DoNotOptimize(argument);
    benchmark::DoNotOptimize(log_normaliser(dimension, argument));
  }
}
BENCHMARK(time_log_normaliser)->Name("log_normaliser")->ArgsProduct({{32, 512, 2048}, {100, 1000}});

std::vector<const float*> addresses_of(const Matrix& rows) {
  std::vector<const float*> addresses;
  for (Index r = 0; r < rows.rows(); ++r) addresses.push_back(rows.row(r).data());
  return addresses;
}

std::vector<float*> places_of(Matrix& rows) {
  std::vector<float*> places;
  for (Index r = 0; r < rows.rows(); ++r) places.push_back(rows.row(r).data());
  return places;
}

/// Arguments: samples, dimension, classes.
void time_inner_products(benchmark::State& state) {
  const Matrix samples = random_rows(state.range(0), state.range(1));
  const Matrix prototypes = random_rows(state.range(2), state.range(1));
  Matrix found(prototypes.rows(), samples.rows());
  const auto a = addresses_of(prototypes);
  const auto b = addresses_of(samples);
  const auto out = places_of(found);
  inner_products<float>(a, b, samples.cols(), out);
  for (Index k = 0; k < found.rows(); ++k)
    for (Index n = 0; n < found.cols(); ++n)
      require(std::abs(found(k, n) - plain_product(prototypes.row(k), samples.row(n))) <=
                  1e-6 * static_cast<double>(samples.cols()),
              "inner_products differs from a simple loop");
  for (auto _ : state) {
    inner_products<float>(a, b, samples.cols(), out);
    benchmark::ClobberMemory();
  }
  state.counters["FLOP/s"] = benchmark::Counter(2 * static_cast<double>(found.size() * samples.cols()),
                                                benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(time_inner_products)
    ->Name("inner_products")
    ->Args({1, 512, 10})
    ->Args({100, 512, 10})
    ->Args({2048, 32, 2})
    ->Args({64, 2048, 1000})
    ->Args({1, 2048, 1000});

/// Arguments: samples, dimension, classes, and whether all weights or one in fifty are nonzero.
void time_weighted_sums(benchmark::State& state) {
  const Matrix samples = random_rows(state.range(0), state.range(1));
  Matrix weights = random_rows(state.range(2), state.range(0));
  for (Index i = 0; i < weights.size(); ++i)
    if (i % state.range(3) != 0) weights.data()[i] = 0;
  Matrix found(weights.rows(), samples.cols());
  const auto out = places_of(found);
  const auto rows = addresses_of(samples);
  const auto each = addresses_of(weights);
  weighted_sums<float>(each, rows, samples.cols(), out);
  for (Index k = 0; k < found.rows(); ++k)
    for (Index d = 0; d < found.cols(); d += 7) {
      double sum = 0;
      for (Index n = 0; n < samples.rows(); ++n)
        sum += static_cast<double>(weights(k, n)) * static_cast<double>(samples(n, d));
      require(std::abs(found(k, d) - sum) <= 1e-6 * static_cast<double>(samples.rows() + 10),
              "weighted_sums differs from a simple loop");
    }
  for (auto _ : state) {
    weighted_sums<float>(each, rows, samples.cols(), out);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(time_weighted_sums)
    ->Name("weighted_sums")
    ->Args({100, 512, 10, 1})
    ->Args({100, 512, 10, 50})
    ->Args({2048, 32, 2, 1})
    ->Args({64, 2048, 1000, 1})
    ->Args({64, 2048, 1000, 50});

void time_bessel_ratios(benchmark::State& state) {
  const auto dimension = static_cast<Index>(state.range(0));
  std::vector<double> kappas(1000);
  for (std::size_t i = 0; i < kappas.size(); ++i) kappas[i] = 2 * static_cast<double>(i + 1);
  std::vector<double> ratios = kappas;
  bessel_ratios(dimension, ratios);
  for (std::size_t i = 0; i < kappas.size(); i += 97)
    require_close("bessel_ratios", ratios[i], plain_bessel_ratio(dimension, kappas[i]), 1e-12);
  for (auto _ : state) {
    ratios = kappas;
    bessel_ratios(dimension, ratios);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kappas.size()));
}
BENCHMARK(time_bessel_ratios)->Name("bessel_ratios of 1000")->Arg(32)->Arg(512)->Arg(2048);

void time_inner_product(benchmark::State& state) {
  const Matrix rows = random_rows(2, state.range(0));
  const double expected = plain_product(rows.row(0), rows.row(1));
  require(std::abs(inner_product(std::as_const(rows).row(0), std::as_const(rows).row(1)) - expected) <=
              1e-9 * std::max(1.0, std::abs(expected)),
          "inner_product differs from a simple loop");
  for (auto _ : state) benchmark::DoNotOptimize(inner_product(std::as_const(rows).row(0), std::as_const(rows).row(1)));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * rows.size() * 4);
}
BENCHMARK(time_inner_product)->Name("inner_product")->Arg(32)->Arg(512)->Arg(2048);

/// Sorts all other rows.
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
  constexpr Index kCompared = 20;  // rows, because sorting takes long
  const DoubleRows unit = unit_rows<double>(random_rows(state.range(0), state.range(1))).rows;
  const auto nearest = nearest_rows(unit, kCount);
  for (Index row = 0; row < std::min(unit.rows(), kCompared); ++row)
    require(std::ranges::equal(std::span(nearest).subspan(static_cast<std::size_t>(row * kCount), kCount),
                               plain_nearest(unit, row, kCount)),
            fmt::format("nearest_rows of row {} are not those of a simple sort", row));
  for (auto _ : state) benchmark::DoNotOptimize(nearest_rows(unit, kCount));
}
BENCHMARK(time_nearest_rows)->Name("nearest_rows")->Args({100, 512})->Args({1000, 64})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stad::benchmarks

BENCHMARK_MAIN();
