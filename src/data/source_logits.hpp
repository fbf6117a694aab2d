#pragma once

#include <stad/matrix.hpp>
#include <stad/source_model.hpp>

#include "math/eigen.hpp"

namespace stad {

/// W_0 h + b for every row, N x K. In double: t3a and lame decide by comparing what follows from it.
void source_logits(const SourceModel& source, MatrixView features, Eigen::Map<DoubleRows> logits);
DoubleRows source_logits(const SourceModel& source, MatrixView features);

/// W_0 mean + b of a source that has a feature mean, K values.
Eigen::VectorXd mean_logits(const SourceModel& source);

}  // namespace stad
