#include "safe/persistence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/scratch.hpp"

namespace stad::safe {

AdjacencyMoments adjacency_moments(std::span<const Index> labels, Index classes) {
  Scratch scratch;
  const auto counts = scratch.take<Index>(classes);
  std::ranges::fill(counts, 0);
  for (const Index label : labels) ++counts[static_cast<std::size_t>(label)];
  // Ordered pairs, triples and quadruples of rows of one class, and the squares of the numbers of pairs.
  double pairs = 0, triples = 0, quadruples = 0, squares = 0;
  for (const Index count : counts) {
    const auto c = static_cast<double>(count);
    const double ordered = c * (c - 1);
    pairs += ordered;
    triples += ordered * (c - 2);
    quadruples += ordered * (c - 2) * (c - 3);
    squares += ordered * ordered;
  }
  const auto n = static_cast<double>(labels.size());
  const double m = n - 1;
  const double p2 = pairs / (n * (n - 1));
  const double p3 = triples / (n * (n - 1) * (n - 2));
  const double p22 = (quadruples + pairs * pairs - squares) / (n * (n - 1) * (n - 2) * (n - 3));

  AdjacencyMoments moments{.mean = m * p2, .pairs = m};
  for (std::size_t i = 1; i < labels.size(); ++i) moments.observed += labels[i] == labels[i - 1] ? 1 : 0;
  moments.variance =
      std::max(0.0, m * p2 + 2 * (m - 1) * p3 + (m * (m - 1) - 2 * (m - 1)) * p22 - moments.mean * moments.mean);
  return moments;
}

PersistenceTest::PersistenceTest(Index classes, const Params& params) : classes_(classes), params_(params) {
  state_.window.reserve(static_cast<std::size_t>(params.window));
  state_.windows.reserve(static_cast<std::size_t>(params.windows) + 1);
}

void PersistenceTest::add(std::span<const Index> labels, std::optional<double> time) {
  const bool changed = time && state_.time && *time != *state_.time;
  if (changed && static_cast<Index>(state_.window.size()) >= params_.shortest_window) close_window();
  if (time) state_.time = time;
  for (const Index label : labels) {
    state_.window.push_back(label);
    if (static_cast<Index>(state_.window.size()) == params_.window) close_window();
  }
}

void PersistenceTest::close_window() {
  auto& windows = state_.windows;
  windows.push_back(adjacency_moments(state_.window, classes_));
  if (static_cast<Index>(windows.size()) > params_.windows) windows.erase(windows.begin());
  state_.window.clear();
}

AdjacencyMoments PersistenceTest::sum() const {
  AdjacencyMoments sum;
  for (const AdjacencyMoments& window : state_.windows) {
    sum.observed += window.observed;
    sum.mean += window.mean;
    sum.variance += window.variance;
    sum.pairs += window.pairs;
  }
  return sum;
}

double PersistenceTest::zeta() const {
  constexpr double kLeastVariance = 1e-9;  // of windows of one class
  const AdjacencyMoments all = sum();
  return (all.observed - all.mean) / std::sqrt(all.variance + kLeastVariance);
}

double PersistenceTest::excess() const {
  const AdjacencyMoments all = sum();
  return (all.observed - all.mean) / std::max(all.pairs - all.mean, params_.least_excess_pairs);
}

void PersistenceTest::restore(State state) {
  state_.window.assign(state.window.begin(), state.window.end());
  state_.windows.assign(state.windows.begin(), state.windows.end());
  state_.time = state.time;
}

}  // namespace stad::safe
