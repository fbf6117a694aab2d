#pragma once

#include <string>

#include <Eigen/Core>

#include <stad/error.hpp>
#include <stad/predictions.hpp>

namespace stad::speed {

// Answers of the fast form against those of the plain one. `place` begins the complaint; `largest` grows to the largest
// difference seen.

/// No probability differs by more than 1e-4, and every label is the plain form's own or ties with it to within 1e-4.
Status check_answer(const std::string& place, const Predictions& found, const Eigen::MatrixXd& expected,
                    double& largest);

/// No value differs by more than 1e-4. Where every sample is sure of its class, probabilities are 0 or 1 whatever
/// happened: prototypes show more.
Status check_prototypes(const std::string& place, const Matrix& found, const Eigen::MatrixXd& expected,
                        double& largest);

}  // namespace stad::speed
