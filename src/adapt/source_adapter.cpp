#include "adapt/source_adapter.hpp"

#include "adapt/answer.hpp"
#include "data/source_logits.hpp"
#include "math/scratch_rows.hpp"

namespace stad {

Status SourceAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  Scratch scratch;
  const auto logits = take_rows<double>(scratch, batch.features.rows, source().classes());
  source_logits(source(), batch.features, logits);
  serve(logits, answer);
  if (reports_source()) serve_source(logits, answer);
  return {};
}

}  // namespace stad
