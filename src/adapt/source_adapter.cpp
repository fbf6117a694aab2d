#include "adapt/source_adapter.hpp"

#include "adapt/answer.hpp"
#include "adapt/source_logits.hpp"

namespace stad {

Result<Predictions> SourceAdapter::predict_checked(const Batch& batch) const {
  return answer(source_logits(source(), batch.features));
}

}  // namespace stad
