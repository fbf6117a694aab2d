#pragma once

#include <span>

#include "math/eigen.hpp"

namespace stad {

/// Softmax of a row of finite logits of any magnitude. Probabilities below 1e-30 become zero, because a subnormal
/// operand makes a matrix product a hundred times slower.
void softmax(std::span<const double> logits, std::span<float> probabilities);
void softmax(std::span<const double> logits, std::span<double> probabilities);

/// The softmax of every row and its log-sum-exp, N. Exponentiates all rows at once, because rows of few classes do not
/// fill a vector.
void softmax_rows(const Eigen::Map<DoubleRows>& logits, Eigen::Map<DoubleRows> probabilities,
                  Eigen::Map<Eigen::VectorXd> log_sums);

/// In-place softmax of rows whose largest logit is zero already. Probabilities below 1e-30 become zero.
void softmax_of_shifted(RowsMap<float> rows);

/// The softmax of every row of logits, in place.
void softmax_rows(RowsMap<float> logits);

}  // namespace stad
