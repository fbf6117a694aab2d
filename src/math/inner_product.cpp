#include "math/inner_product.hpp"

#include <array>
#include <cstddef>

namespace stad {
namespace {

/// term(0) + ... + term(size - 1).
template <typename Term>
double sum_terms(std::size_t size, const Term& term) {
  constexpr std::size_t kSums = 16;  // independent sums, which vectorise
  std::array<double, kSums> sums{};
  const std::size_t whole = size / kSums * kSums;
  for (std::size_t i = 0; i < whole; i += kSums)
    for (std::size_t lane = 0; lane < kSums; ++lane) sums[lane] += term(i + lane);
  double total = 0;
  for (std::size_t i = whole; i < size; ++i) total += term(i);
  for (const double sum : sums) total += sum;
  return total;
}

template <typename Scalar>
double sum_products(std::span<const Scalar> a, std::span<const Scalar> b) {
  return sum_terms(a.size(), [&](std::size_t i) { return static_cast<double>(a[i]) * static_cast<double>(b[i]); });
}

template <typename Scalar>
double sum_values(std::span<const Scalar> values) {
  return sum_terms(values.size(), [&](std::size_t i) { return static_cast<double>(values[i]); });
}

}  // namespace

double inner_product(std::span<const float> a, std::span<const float> b) { return sum_products(a, b); }
double inner_product(std::span<const double> a, std::span<const double> b) { return sum_products(a, b); }

double sum_of(std::span<const float> values) { return sum_values(values); }
double sum_of(std::span<const double> values) { return sum_values(values); }

}  // namespace stad
