#include "adapt/source_adapter.hpp"

#include "adapt/answer.hpp"
#include "adapt/source_logits.hpp"

namespace stad {

Status SourceAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  serve(source_logits(source(), batch.features), answer);
  return {};
}

}  // namespace stad
