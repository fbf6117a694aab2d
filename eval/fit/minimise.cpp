#include "fit/minimise.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace stad {
namespace {

using Eigen::VectorXd;

constexpr std::size_t kRemembered = 10;    // pairs that stand for the Hessian
constexpr double kSufficientShare = 1e-4;  // of the decrease the slope promises
constexpr int kMostHalvings = 40;          // 2^-40 of a step moves nothing that double can see
constexpr double kLeastCurvature = 1e-12;  // relative; below, a pair says nothing but rounding

struct Pair {
  VectorXd step;
  VectorXd change;  // of the gradient
  double inverse_curvature = 0;
};

struct Place {
  VectorXd point;
  VectorXd gradient;
  double value = 0;
};

/// Minus the inverse Hessian times the gradient, as far as the remembered pairs know it.
VectorXd descent(const std::deque<Pair>& pairs, const VectorXd& gradient) {
  // Without a pair there is no scale: a first step of unit length at most.
  if (pairs.empty()) return -gradient / std::max(1.0, gradient.norm());
  VectorXd q = gradient;
  std::vector<double> shares(pairs.size());
  for (std::size_t i = pairs.size(); i-- > 0;) {
    shares[i] = pairs[i].inverse_curvature * pairs[i].step.dot(q);
    q -= shares[i] * pairs[i].change;
  }
  q /= pairs.back().inverse_curvature * pairs.back().change.squaredNorm();
  for (std::size_t i = 0; i < pairs.size(); ++i)
    q += (shares[i] - pairs[i].inverse_curvature * pairs[i].change.dot(q)) * pairs[i].step;
  return -q;
}

/// Halves the step until the value falls enough; false where it never does.
bool search_along(const Objective& objective, const VectorXd& direction, const Place& from, Place& to) {
  const double slope = direction.dot(from.gradient);
  if (!(slope < 0)) return false;
  double share = 1;
  for (int halving = 0; halving < kMostHalvings; ++halving, share /= 2) {
    to.point = from.point + share * direction;
    to.value = objective(to.point, to.gradient);
    if (to.value <= from.value + kSufficientShare * share * slope) return true;
  }
  return false;
}

void remember(std::deque<Pair>& pairs, const Place& from, const Place& to) {
  Pair pair{to.point - from.point, to.gradient - from.gradient};
  const double curvature = pair.step.dot(pair.change);
  if (!(curvature > kLeastCurvature * pair.step.norm() * pair.change.norm())) return;
  pair.inverse_curvature = 1 / curvature;
  pairs.push_back(std::move(pair));
  if (pairs.size() > kRemembered) pairs.pop_front();
}

}  // namespace

Minimum minimise(const Objective& objective, VectorXd start, const MinimiseSettings& settings) {
  Place here{std::move(start), {}, 0};
  here.value = objective(here.point, here.gradient);
  Place next;
  std::deque<Pair> pairs;
  int iterations = 0;
  while (iterations < settings.most_iterations &&
         here.gradient.lpNorm<Eigen::Infinity>() > settings.gradient_tolerance) {
    if (!search_along(objective, descent(pairs, here.gradient), here, next)) {
      if (pairs.empty()) break;
      pairs.clear();  // the pairs misled: start again from the gradient alone
      continue;
    }
    remember(pairs, here, next);
    std::swap(here, next);
    ++iterations;
  }
  const double largest = here.gradient.lpNorm<Eigen::Infinity>();
  return {std::move(here.point), here.value, largest, iterations};
}

}  // namespace stad
