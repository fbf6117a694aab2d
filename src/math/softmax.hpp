#pragma once

#include <span>

#include "math/eigen.hpp"

namespace stad {

/// Turns a row of logits into probabilities. Finite logits of any size give finite probabilities that sum to one.
/// Those below 1e-30 become zero: a subnormal operand makes a matrix product a hundred times slower.
void softmax(std::span<const double> logits, std::span<float> probabilities);
void softmax(std::span<const double> logits, std::span<double> probabilities);

/// The softmax of every row, and the logarithm of what it was divided by: log sum exp, N. The exponentials are taken
/// of all rows at once, since rows of few classes would not fill a vector.
void softmax_rows(const Eigen::Map<DoubleRows>& logits, Eigen::Map<DoubleRows> probabilities,
                  Eigen::Map<Eigen::VectorXd> log_sums);

/// The same where the largest logit of each row is zero already, in place; as softmax() it leaves nothing below 1e-30.
void softmax_of_shifted(RowsMap<float> rows);

/// The softmax of every row of logits, in place.
void softmax_rows(RowsMap<float> logits);

}  // namespace stad
