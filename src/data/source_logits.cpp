#include "data/source_logits.hpp"

#include "base/parallel.hpp"
#include "math/wide_products.hpp"

namespace stad {

void source_logits(const SourceModel& source, MatrixView features, Eigen::Map<DoubleRows> logits) {
  const RowsView<float> weight = rows_view(source.weight());
  parallel_for_runs(features.rows, weight.rows * weight.cols, [&](Index first, Index length) {
    wide_products(rows_view(features.rows_from(first, length)), weight,
                  Eigen::Map<DoubleRows>(logits.row(first).data(), length, logits.cols()));
  });
  if (!source.has_bias()) return;
  for (Index n = 0; n < logits.rows(); ++n) logits.row(n).array() += as_array(source.bias()).cast<double>().transpose();
}

DoubleRows source_logits(const SourceModel& source, MatrixView features) {
  DoubleRows logits(features.rows, source.classes());
  source_logits(source, features, Eigen::Map<DoubleRows>(logits.data(), logits.rows(), logits.cols()));
  return logits;
}

Eigen::VectorXd mean_logits(const SourceModel& source) {
  return source_logits(source, {source.mean().data(), 1, source.dimension()}).row(0);
}

}  // namespace stad
