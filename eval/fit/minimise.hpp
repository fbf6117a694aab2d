#pragma once

#include <functional>

#include <Eigen/Core>

namespace stad {

/// The value at a point; writes the gradient there.
using Objective = std::function<double(const Eigen::VectorXd& point, Eigen::VectorXd& gradient)>;

struct MinimiseSettings {
  int most_iterations = 500;
  double gradient_tolerance = 1e-7;  ///< largest entry of the gradient at which the search ends
};

struct Minimum {
  Eigen::VectorXd point;
  double value = 0;
  double largest_gradient = 0;
  int iterations = 0;
};

/// L-BFGS (Nocedal and Wright, Numerical Optimization, algorithms 7.4 and 7.5) for a smooth convex objective. Ends
/// early where rounding leaves no step that lowers the value.
Minimum minimise(const Objective& objective, Eigen::VectorXd start, const MinimiseSettings& settings = {});

}  // namespace stad
