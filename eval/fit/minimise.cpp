#include "fit/minimise.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace stad {
namespace {

using Eigen::VectorXd;

constexpr std::size_t kHistory = 10;       // pairs that approximate the Hessian
constexpr double kSufficientShare = 1e-4;  // Armijo constant: required share of the decrease that the slope predicts
constexpr int kMostHalvings = 40;          // 2^-40 of a step is below the resolution of double
constexpr double kLeastCurvature = 1e-12;  // relative; pairs below are dominated by rounding

struct CurvaturePair {
  VectorXd step;
  VectorXd change;  // of the gradient
  double inverse_curvature = 0;
};

struct Iterate {
  VectorXd point;
  VectorXd gradient;
  double value = 0;
};

/// Minus the approximate inverse Hessian times the gradient (two-loop recursion).
VectorXd descent(const std::deque<CurvaturePair>& pairs, const VectorXd& gradient) {
  // Without pairs the scale is unknown: limits the first step to unit length.
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

/// Backtracking line search. Returns false if no step decreases the value sufficiently.
bool search_along(const Objective& objective, const VectorXd& direction, const Iterate& from, Iterate& to) {
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

void add_pair(std::deque<CurvaturePair>& pairs, const Iterate& from, const Iterate& to) {
  CurvaturePair pair{to.point - from.point, to.gradient - from.gradient};
  const double curvature = pair.step.dot(pair.change);
  if (!(curvature > kLeastCurvature * pair.step.norm() * pair.change.norm())) return;
  pair.inverse_curvature = 1 / curvature;
  pairs.push_back(std::move(pair));
  if (pairs.size() > kHistory) pairs.pop_front();
}

}  // namespace

Minimum minimise(const Objective& objective, VectorXd start, const MinimiseSettings& settings) {
  Iterate here{std::move(start), {}, 0};
  here.value = objective(here.point, here.gradient);
  Iterate next;
  std::deque<CurvaturePair> pairs;
  int iterations = 0;
  while (iterations < settings.most_iterations &&
         here.gradient.lpNorm<Eigen::Infinity>() > settings.gradient_tolerance) {
    if (!search_along(objective, descent(pairs, here.gradient), here, next)) {
      if (pairs.empty()) break;
      pairs.clear();  // no descent direction: restart with the gradient alone
      continue;
    }
    add_pair(pairs, here, next);
    std::swap(here, next);
    ++iterations;
  }
  const double largest = here.gradient.lpNorm<Eigen::Infinity>();
  return {std::move(here.point), here.value, largest, iterations};
}

}  // namespace stad
