#include "adapt/source_logits.hpp"

#include "base/parallel.hpp"

namespace stad {

DoubleRows source_logits(const SourceModel& source, MatrixView features) {
  const DoubleRows h = as_eigen(features).cast<double>();
  const auto weight = as_eigen(source.weight());
  DoubleRows logits(features.rows, source.classes());
  parallel_for_runs(source.classes(), h.size(), [&](Index first, Index length) {
    const DoubleRows rows = weight.middleRows(first, length).cast<double>();
    logits.middleCols(first, length).noalias() = h * rows.transpose();
  });
  if (source.has_bias()) logits.rowwise() += as_array(source.bias()).matrix().transpose().cast<double>();
  return logits;
}

}  // namespace stad
