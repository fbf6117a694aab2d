#include "reference/rows.hpp"

namespace stad::reference {

Eigen::MatrixXd unit(Eigen::MatrixXd rows) {
  rows.rowwise().normalize();
  return rows;
}

Eigen::MatrixXd softmax_of(Eigen::MatrixXd logits) {
  for (Eigen::Index n = 0; n < logits.rows(); ++n) {
    logits.row(n).array() -= logits.row(n).maxCoeff();
    logits.row(n) = logits.row(n).array().exp();
    logits.row(n) /= logits.row(n).sum();
  }
  return logits;
}

}  // namespace stad::reference
