#pragma once

#include <span>

#include "math/eigen.hpp"

namespace stad {

/// Turns a row of logits into probabilities. Finite logits of any size give finite probabilities that sum to one.
/// Those below 1e-30 become zero: a subnormal operand makes a matrix product a hundred times slower.
void softmax(std::span<const double> logits, std::span<float> probabilities);
void softmax(std::span<const double> logits, std::span<double> probabilities);

/// log softmax of every row, in place.
void log_softmax_rows(DoubleRows& logits);

}  // namespace stad
