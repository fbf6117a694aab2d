#pragma once

#include <Eigen/Core>

namespace stad::reference {

/// Rows of unit length.
Eigen::MatrixXd unit(Eigen::MatrixXd rows);

/// softmax of every row.
Eigen::MatrixXd softmax_of(Eigen::MatrixXd logits);

}  // namespace stad::reference
