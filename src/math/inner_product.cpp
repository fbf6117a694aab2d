#include "math/inner_product.hpp"

#include <array>
#include <cstddef>

namespace stad {
namespace {

template <typename Scalar>
double sum_products(std::span<const Scalar> a, std::span<const Scalar> b) {
  constexpr std::size_t kLanes = 16;  // independent sums, which the compiler turns into vectors
  std::array<double, kLanes> sums{};
  const std::size_t whole = a.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += static_cast<double>(a[i + lane]) * static_cast<double>(b[i + lane]);
  double total = 0;
  for (std::size_t i = whole; i < a.size(); ++i) total += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  for (const double sum : sums) total += sum;
  return total;
}

}  // namespace

double inner_product(std::span<const float> a, std::span<const float> b) { return sum_products(a, b); }
double inner_product(std::span<const double> a, std::span<const double> b) { return sum_products(a, b); }

}  // namespace stad
