#include "reference/source.hpp"

#include "reference/rows.hpp"

namespace stad::reference {

using Eigen::MatrixXd;

MatrixXd source_probabilities(const Head& head, const MatrixXd& features) {
  MatrixXd logits = features * head.weight.transpose();
  if (head.bias.size() > 0) logits.rowwise() += head.bias.transpose();
  return softmax_of(logits);
}

MatrixXd Source::adapt(const MatrixXd& features) { return source_probabilities(head_, features); }

}  // namespace stad::reference
