#include "adapt/source_adapter.hpp"

#include "adapt/answer.hpp"
#include "adapt/source_logits.hpp"

namespace stad {

Predictions SourceAdapter::adapt_checked(MatrixView features) { return answer(source_logits(source(), features)); }

}  // namespace stad
