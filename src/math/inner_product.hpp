#pragma once

#include <span>

namespace stad {

/// a . b with the sum in double. The order of the terms depends on the length alone, not on the addresses, so that
/// equal rows give equal bits.
double inner_product(std::span<const float> a, std::span<const float> b);
double inner_product(std::span<const double> a, std::span<const double> b);

/// The sum of the values in double, in an order that depends on the length alone.
double sum_of(std::span<const float> values);
double sum_of(std::span<const double> values);

}  // namespace stad
