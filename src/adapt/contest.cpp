#include "adapt/contest.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"

namespace stad {
namespace {

using safe::Certificate;
using safe::LabelRequest;

safe::LabelBudget budget_of(const StadSafeOptions& options) {
  return {.labels = options.label_budget,
          .period = options.label_period,
          .in_time = options.label_unit == LabelUnit::kTime,
          .expiry = options.label_expiry,
          .seed = static_cast<std::uint64_t>(options.seed)};
}

std::size_t position(Index index) { return static_cast<std::size_t>(index); }

void replace_answer(const Predictions& by, Predictions& answer) {
  std::ranges::copy(by.labels, answer.labels.begin());
  std::copy_n(by.probabilities.data(), by.probabilities.size(), answer.probabilities.data());
}

}  // namespace

Contest::Contest(const SourceModel& source, Candidates candidates, const StadSafeOptions& options,
                 const safe::ContestParams& params)
    : classes_(source.classes()),
      dimension_(source.dimension()),
      candidates_(std::move(candidates)),
      certificate_(static_cast<Index>(candidates_.size()), params.certificate),
      requests_(budget_of(options), params.requests),
      answers_(candidates_.size()) {}

Status Contest::adapt(const CandidateRows& rows, Predictions& answer) {
  apply_requests();  // those that have expired
  STAD_TRY(run_candidates(rows));
  base_labels_.assign(answer.labels.begin(), answer.labels.end());
  request_labels(rows.batch, answer);
  if (const Index winner = certificate_.answering(); winner != Certificate::kBase)
    replace_answer(answers_[position(winner)], answer);
  return {};
}

Status Contest::predict(const CandidateRows& rows, Predictions& answer) const {
  const Index winner = certificate_.answering();
  if (winner == Certificate::kBase) return {};
  return candidates_[position(winner)]->predict(rows, answer);
}

Status Contest::run_candidates(const CandidateRows& rows) {
  for (std::size_t c = 0; c < candidates_.size(); ++c) STAD_TRY(candidates_[c]->adapt(rows, answers_[c]));
  return {};
}

bool Contest::is_contested(Index row, std::int64_t base_label) const {
  for (std::size_t c = 0; c < answers_.size(); ++c)
    if (certificate_.is_live(static_cast<Index>(c)) && answers_[c].labels[position(row)] != base_label) return true;
  return false;
}

void Contest::request_labels(const Batch& batch, Predictions& answer) {
  const Index rows = batch.features.rows;
  contested_.clear();
  for (Index n = 0; n < rows; ++n) contested_.push_back(is_contested(n, answer.labels[position(n)]));
  requests_.begin_batch(rows, std::ranges::count(contested_, true), batch.time);
  for (Index n = 0; n < rows && !batch.ids.empty(); ++n)  // a label can arrive only by the id of its row
    if (requests_.draws(n, contested_[position(n)])) {
      requests_.add(make_request(batch, n, answer.labels[position(n)]));
      answer.label_requests.push_back(n);
    }
  requests_.end_batch();
}

LabelRequest Contest::make_request(const Batch& batch, Index row, std::int64_t base_label) const {
  const auto features = batch.features.row(row);
  LabelRequest request{.id = batch.ids[position(row)],
                       .drawn_at = requests_.state().rows + row,
                       .base_label = static_cast<Index>(base_label),
                       .labels = {},
                       .attempts = attempts(),
                       .features = {features.begin(), features.end()},
                       .true_label = std::nullopt};
  for (const Predictions& own : answers_) request.labels.push_back(static_cast<Index>(own.labels[position(row)]));
  return request;
}

Observed Contest::observe(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) {
  Observed observed;
  for (std::size_t i = 0; i < ids.size(); ++i)
    ++(requests_.set_label(ids[i], static_cast<Index>(labels[i])) ? observed.used : observed.forgotten);
  apply_requests();
  return observed;
}

void Contest::apply_requests() {
  std::vector<float> taught_rows;
  std::vector<std::int64_t> taught_labels;
  while (const auto request = requests_.take()) {
    std::vector<double> outcomes;
    for (const Index label : request->labels) {
      const double expired = label == request->base_label ? 0 : -1;
      outcomes.push_back(request->true_label ? outcome(label, request->base_label, *request->true_label) : expired);
    }
    certificate_.add(outcomes, request->attempts);
    if (!request->true_label) continue;
    taught_rows.insert(taught_rows.end(), request->features.begin(), request->features.end());
    taught_labels.push_back(*request->true_label);
  }
  if (taught_labels.empty()) return;
  const auto count = static_cast<Index>(taught_labels.size());
  const MatrixView rows(taught_rows.data(), count, static_cast<Index>(taught_rows.size()) / count);
  teach(rows, taught_labels);
}

void Contest::teach(MatrixView rows, std::span<const std::int64_t> labels) {
  for (const auto& candidate : candidates_) candidate->learn(rows, labels);
}

void Contest::add_step(std::span<const double> outcomes) { certificate_.add(outcomes, attempts()); }

Status Contest::observe(const CandidateRows& rows, std::span<const std::int64_t> base,
                        std::span<const std::int64_t> labels, LabelSampling sampling) {
  if (sampling == LabelSampling::kUniform) {
    for (std::size_t c = 0; c < candidates_.size(); ++c) STAD_TRY(candidates_[c]->predict(rows, answers_[c]));
    const std::vector<Index> drawn_in = attempts();
    for (std::size_t n = 0; n < labels.size(); ++n) {
      std::vector<double> outcomes;
      for (const Predictions& own : answers_) outcomes.push_back(outcome(own.labels[n], base[n], labels[n]));
      certificate_.add(outcomes, drawn_in);
    }
  }
  teach(rows.batch.features, labels);
  return {};
}

double Contest::outcome(std::int64_t candidate, std::int64_t base, std::int64_t label) {
  return (candidate == label ? 1 : 0) - (base == label ? 1 : 0);
}

std::vector<Index> Contest::attempts() const {
  std::vector<Index> list;
  for (Index c = 0; c < certificate_.size(); ++c) list.push_back(certificate_.attempt(c));
  return list;
}

void Contest::write_health(Health& health) const {
  health.candidates.clear();
  for (Index c = 0; c < certificate_.size(); ++c)
    health.candidates.push_back({.name = candidates_[position(c)]->name(),
                                 .answers = certificate_.answering() == c,
                                 .live = certificate_.is_live(c),
                                 .wealth = certificate_.wealth(c),
                                 .threshold = certificate_.threshold(c),
                                 .watch = certificate_.watch(c),
                                 .attempt = certificate_.attempts(c)});
  health.pending_requests = requests_.pending();
}

}  // namespace stad
