#pragma once

#include <span>

namespace stad {

/// a . b with the sum in double. The order of the terms depends on the length alone, never on where the rows lie in
/// memory, so that equal rows give equal bits wherever they are kept.
double inner_product(std::span<const float> a, std::span<const float> b);
double inner_product(std::span<const double> a, std::span<const double> b);

/// The sum of the values, in double and in an order of the same kind.
double sum_of(std::span<const float> values);
double sum_of(std::span<const double> values);

}  // namespace stad
