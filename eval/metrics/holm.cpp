#include <algorithm>
#include <numeric>

#include <stad/eval/statistics.hpp>

#include "base/check.hpp"

namespace stad {

std::vector<double> holm(std::span<const double> p_values) {
  STAD_CHECK(std::all_of(p_values.begin(), p_values.end(), [](double p) { return p >= 0 && p <= 1; }));
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });

  std::vector<double> adjusted(p_values.size());
  double largest = 0;  // a hypothesis is rejected only if every one with a smaller p value is
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, static_cast<double>(order.size() - i) * p_values[order[i]]);
    adjusted[order[i]] = std::min(1.0, largest);
  }
  return adjusted;
}

}  // namespace stad
