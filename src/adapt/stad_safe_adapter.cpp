#include "adapt/stad_safe_adapter.hpp"

#include "adapt/answer.hpp"
#include "adapt/source_logits.hpp"
#include "math/scratch_rows.hpp"
#include "math/softmax.hpp"

namespace stad {

StadSafeAdapter::StadSafeAdapter(SourceModel source, const StadSafeOptions& options)
    : Adapter(std::move(source)), options_(options), model_(unit_rows<float>(this->source().weight()).rows) {}

Status StadSafeAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  model_.move_to(batch.time);
  std::optional<double> log_likelihood;
  answer_with(
      batch,
      [&](const auto& rows, const auto& said, auto posteriors) {
        log_likelihood = model_.adapt(rows, said, posteriors);
      },
      answer);
  answer.health.log_likelihood = log_likelihood;
  return {};
}

Status StadSafeAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  answer_with(
      batch, [&](const auto& rows, const auto& said, auto posteriors) { model_.predict(rows, said, posteriors); },
      answer);
  return {};
}

template <typename Work>
void StadSafeAdapter::answer_with(const Batch& batch, const Work& work, Predictions& answer) const {
  const MatrixView features = batch.features;
  const Index classes = source().classes();
  Scratch scratch;
  const auto logits = take_rows<double>(scratch, features.rows, classes);
  const auto probabilities = take_rows<double>(scratch, features.rows, classes);
  const auto log_sums = take_vector(scratch, features.rows);
  source_logits(source(), features, logits);
  softmax_rows(logits, probabilities, log_sums);

  const auto unit = take_rows<float>(scratch, features.rows, features.cols);
  const auto all = scratch.take<Index>(features.rows);
  const auto directed = all.first(unit_rows<float>(features, source().mean(), unit, all));
  const auto count = static_cast<Index>(directed.size());
  auto said = take_rows<float>(scratch, count, classes);
  const auto labels = scratch.take<Index>(count);
  for (Index i = 0; i < count; ++i) {
    const Index n = directed[i];
    said.row(i) = (logits.row(n).array() - log_sums[n]).cast<float>();
    logits.row(n).maxCoeff(&labels[i]);
  }
  const auto posteriors = take_rows<float>(scratch, count, classes);
  if (count > 0)
    work(safe::some_rows(safe::as_rows(unit), 0, count), safe::SourceAnswer{safe::as_rows(said), labels}, posteriors);
  serve_rows(posteriors, directed, probabilities, answer);
  compare_with_source(logits, answer);
}

}  // namespace stad
