#include "adapt/stad_safe_adapter.hpp"

#include "adapt/answer.hpp"
#include "data/source_logits.hpp"

namespace stad {

StadSafeAdapter::StadSafeAdapter(SourceModel source, const StadSafeOptions& options, const safe::Params& params)
    : Adapter(std::move(source)), options_(options), base_(this->source(), params) {}

Status StadSafeAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  Scratch scratch;
  const auto logits = take_rows<double>(scratch, batch.features.rows, source().classes());
  source_logits(source(), batch.features, logits);
  serve(logits, answer, temperature());
  base_.adapt(logits, batch.time, as_eigen(answer.probabilities));
  relabel(answer);
  compare_with_source(logits, answer);
  answer.health.warning = base_.warning();
  return {};
}

Status StadSafeAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  Scratch scratch;
  const auto logits = take_rows<double>(scratch, batch.features.rows, source().classes());
  source_logits(source(), batch.features, logits);
  serve(logits, answer, temperature());
  base_.predict(as_eigen(answer.probabilities));
  relabel(answer);
  return {};
}

}  // namespace stad
