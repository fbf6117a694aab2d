#include "adapt/stad_safe_adapter.hpp"

#include "adapt/answer.hpp"
#include "base/try.hpp"
#include "data/source_logits.hpp"

namespace stad {

StadSafeAdapter::StadSafeAdapter(SourceModel source, const StadSafeOptions& options, Candidates candidates,
                                 const safe::Params& params, const safe::ContestParams& contest)
    : Adapter(std::move(source)), options_(options), base_(this->source(), params) {
  if (!candidates.empty()) contest_.emplace(this->source(), std::move(candidates), options, contest);
}

/// The base answers; labels decide whether a candidate does in its place.
Status StadSafeAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  Scratch scratch;
  const auto logits = apply_source(batch.features, scratch, answer);
  auto chains = take_rows<float>(scratch, contest_ ? logits.rows() : 0, logits.cols());
  base_.adapt(logits, batch.time, as_eigen(answer.probabilities), contest_ ? &chains : nullptr);
  relabel(answer);
  if (contest_) STAD_TRY(contest_->adapt({batch, logits, chains}, answer));
  compare_with_source(logits, answer);
  answer.health.warning = base_.warning();
  write_candidates(answer.health);
  return {};
}

Status StadSafeAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  Scratch scratch;
  const auto logits = apply_source(batch.features, scratch, answer);
  const auto chains = apply_chains(answer, scratch);
  base_.predict(as_eigen(answer.probabilities));
  relabel(answer);
  return contest_ ? contest_->predict({batch, logits, chains}, answer) : Status();
}

Observed StadSafeAdapter::observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) {
  return contest_->observe(ids, labels);
}

Result<Observed> StadSafeAdapter::observe_checked(const Batch& batch, std::span<const std::int64_t> labels,
                                                  LabelSampling sampling) {
  Scratch scratch;
  Predictions base;
  const auto logits = apply_source(batch.features, scratch, base);
  const auto chains = apply_chains(base, scratch);
  base_.predict(as_eigen(base.probabilities));
  relabel(base);
  STAD_TRY(contest_->observe({batch, logits, chains}, base.labels, labels, sampling));
  return Observed{.used = batch.features.rows};
}

void StadSafeAdapter::write_candidates(Health& health) const {
  if (contest_) contest_->write_health(health);
}

DoubleRowsMap StadSafeAdapter::apply_source(MatrixView features, Scratch& scratch, Predictions& answer) const {
  const auto logits = take_rows<double>(scratch, features.rows, source().classes());
  source_logits(source(), features, logits);
  serve(logits, answer, temperature());
  if (reports_source()) serve_source(logits, answer);
  return logits;
}

FloatRowsMap StadSafeAdapter::apply_chains(const Predictions& source, Scratch& scratch) const {
  auto chains = take_rows<float>(scratch, contest_ ? source.probabilities.rows() : 0, source.probabilities.cols());
  if (!contest_) return chains;
  chains = as_eigen(source.probabilities);
  base_.chains().answer(chains);
  return chains;
}

}  // namespace stad
