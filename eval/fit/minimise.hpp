#pragma once

#include <functional>

#include <Eigen/Core>

namespace stad {

/// Returns the value at a point and writes the gradient.
using Objective = std::function<double(const Eigen::VectorXd& point, Eigen::VectorXd& gradient)>;

struct MinimiseSettings {
  int most_iterations = 500;
  double gradient_tolerance = 1e-7;  ///< the search ends when no entry of the gradient is larger in magnitude
};

struct Minimum {
  Eigen::VectorXd point;
  double value = 0;
  double largest_gradient = 0;
  int iterations = 0;
};

/// L-BFGS (Nocedal and Wright, Numerical Optimization, algorithms 7.4 and 7.5) for a smooth convex objective. Ends
/// early if no step lowers the value, which happens at the limit of rounding.
Minimum minimise(const Objective& objective, Eigen::VectorXd start, const MinimiseSettings& settings = {});

}  // namespace stad
