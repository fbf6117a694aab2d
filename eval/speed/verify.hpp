#pragma once

#include <string>

#include <Eigen/Core>

#include <stad/error.hpp>
#include <stad/eval/speed.hpp>
#include <stad/predictions.hpp>

namespace stad::speed {

/// Fails on the first setting that breaks its rule, or if the sizes together need too much memory.
Status check_speed_settings(const SpeedSettings& settings);

// Comparison with the reference implementation. `place` is the prefix of messages; `largest` becomes the maximum of
// itself and the differences found.

/// Fails if a probability differs by more than 1e-4, or if a label is neither the reference's nor within 1e-4 of it.
Status check_answer(const std::string& place, const Predictions& found, const Eigen::MatrixXd& expected,
                    double& largest);

/// Fails if a value differs by more than 1e-4. Prototypes reveal differences that saturated probabilities hide.
Status check_prototypes(const std::string& place, const Matrix& found, const Eigen::MatrixXd& expected,
                        double& largest);

/// The option `window` of methods that have it, else 0.
Index window_of(const std::vector<OptionSetting>& options);

/// The shape of the comparison with the reference implementation: the shape itself, except for stad-gauss, whose
/// reference inverts a D x D matrix for every sample and class and therefore gets a small one.
SpeedVerification verified_shape(const SpeedSettings& settings);

/// Runs the method and its reference implementation on one stream, for enough batches to move the window, but not for
/// much longer than 4 seconds. Fails as check_answer() and check_prototypes() do.
Result<SpeedVerification> verify(const SpeedSettings& settings);

}  // namespace stad::speed
