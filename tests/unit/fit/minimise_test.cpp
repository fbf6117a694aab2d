#include "fit/minimise.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace stad {
namespace {

using Eigen::VectorXd;

/// sum_i i (x_i - i)^2: conditions from 1 to 50.
double bowl(const VectorXd& x, VectorXd& gradient) {
  gradient.resize(x.size());
  double value = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double weight = static_cast<double>(i + 1);
    value += weight * (x[i] - weight) * (x[i] - weight);
    gradient[i] = 2 * weight * (x[i] - weight);
  }
  return value;
}

TEST(Minimise, FindsTheBottomOfAQuadraticBowl) {
  const auto minimum = minimise(bowl, VectorXd::Zero(50));
  for (Eigen::Index i = 0; i < 50; ++i) EXPECT_NEAR(minimum.point[i], static_cast<double>(i + 1), 1e-7);
  EXPECT_LE(minimum.largest_gradient, 1e-7);
}

TEST(Minimise, FollowsAFunctionThatIsNotQuadratic) {
  const auto minimum = minimise(
      [](const VectorXd& x, VectorXd& gradient) {  // log cosh has its minimum at 3 and is flat far away
        gradient = (x.array() - 3).tanh();
        return (x.array() - 3).cosh().log().sum();
      },
      VectorXd::Constant(4, 20));
  EXPECT_NEAR(minimum.point.maxCoeff(), 3, 1e-6);
}

TEST(Minimise, StaysWhereTheGradientIsZero) {
  VectorXd start(2);
  start << 1, 2;
  EXPECT_EQ(minimise(bowl, start).iterations, 0);
}

TEST(Minimise, EndsAfterTheIterationsAllowed) {
  EXPECT_EQ(minimise(bowl, VectorXd::Zero(50), {.most_iterations = 3}).iterations, 3);
}

}  // namespace
}  // namespace stad
