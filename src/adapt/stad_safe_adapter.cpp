#include "adapt/stad_safe_adapter.hpp"

#include "adapt/answer.hpp"
#include "adapt/source_logits.hpp"
#include "math/softmax.hpp"

namespace stad {
namespace {

/// The values at some positions, in scratch memory; empty if there are no values.
template <typename Value, typename From>
std::span<const Value> values_at(std::span<const Index> places, std::span<const From> values, Scratch& scratch) {
  if (values.empty()) return {};
  const auto picked = scratch.take<Value>(static_cast<Index>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i) picked[i] = static_cast<Value>(values[places[i]]);
  return picked;
}

}  // namespace

StadSafeAdapter::StadSafeAdapter(SourceModel source, const StadSafeOptions& options)
    : Adapter(std::move(source)),
      options_(options),
      model_(unit_rows<float>(this->source().weight()).rows, options.unknown) {}

Status StadSafeAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  model_.move_to(batch.time);
  std::optional<double> log_likelihood;
  answer_with(
      batch,
      [&](const Directed& directed, FloatRowsMap posteriors, std::span<float> unknown) {
        Scratch scratch;
        const auto ids = values_at<std::int64_t>(directed.places, batch.ids, scratch);
        log_likelihood = model_.adapt(directed.rows, directed.source, ids, posteriors, unknown);
      },
      answer);
  answer.health.log_likelihood = log_likelihood;
  return {};
}

Status StadSafeAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  answer_with(
      batch,
      [&](const Directed& directed, FloatRowsMap posteriors, std::span<float> unknown) {
        model_.predict(directed.rows, directed.source, posteriors, unknown);
      },
      answer);
  return {};
}

Observed StadSafeAdapter::observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) {
  Observed observed;
  for (std::size_t i = 0; i < ids.size(); ++i)
    ++(model_.observe(ids[i], static_cast<Index>(labels[i])) ? observed.used : observed.forgotten);
  return observed;
}

Result<Observed> StadSafeAdapter::observe_checked(const Batch& batch, std::span<const std::int64_t> labels) {
  Scratch scratch;
  const Directed directed =
      apply_source(batch.features, take_rows<double>(scratch, batch.features.rows, source().classes()), scratch);
  const auto used = static_cast<Index>(directed.places.size());
  if (used > 0) model_.observe(directed.rows, directed.source, values_at<Index>(directed.places, labels, scratch));
  return Observed{used, batch.features.rows - used};
}

template <typename Work>
void StadSafeAdapter::answer_with(const Batch& batch, const Work& work, Predictions& answer) const {
  Scratch scratch;
  const auto probabilities = take_rows<double>(scratch, batch.features.rows, source().classes());
  const Directed directed = apply_source(batch.features, probabilities, scratch);
  const auto posteriors = take_rows<float>(scratch, directed.rows.rows(), source().classes());
  const auto count = static_cast<Index>(directed.places.size());
  const auto unknown = scratch.take<float>(options_.unknown ? count : 0);
  if (count > 0) work(directed, posteriors, unknown);
  serve_rows(posteriors, directed.places, probabilities, answer);
  compare_with_source(probabilities, answer);
  if (options_.unknown) serve_unknown(unknown, directed.places, answer);
}

StadSafeAdapter::Directed StadSafeAdapter::apply_source(MatrixView features, DoubleRowsMap probabilities,
                                                        Scratch& scratch) const {
  const Index classes = source().classes();
  const auto logits = take_rows<double>(scratch, features.rows, classes);
  const auto log_sums = take_vector(scratch, features.rows);
  source_logits(source(), features, logits);
  softmax_rows(logits, probabilities, log_sums);

  const auto unit = take_rows<float>(scratch, features.rows, features.cols);
  const auto all = scratch.take<Index>(features.rows);
  const auto directed = all.first(unit_rows<float>(features, source().mean(), unit, all));
  const auto count = static_cast<Index>(directed.size());
  auto log_probabilities = take_rows<float>(scratch, count, classes);
  const auto labels = scratch.take<Index>(count);
  for (Index i = 0; i < count; ++i) {
    const Index n = directed[i];
    log_probabilities.row(i) = (logits.row(n).array() - log_sums[n]).cast<float>();
    logits.row(n).maxCoeff(&labels[i]);
  }
  return {safe::some_rows(safe::as_rows(unit), 0, count), {safe::as_rows(log_probabilities), labels}, directed};
}

}  // namespace stad
