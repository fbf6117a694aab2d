#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <stad/methods.hpp>

#include "adapt/stad_safe_adapter.hpp"
#include "base/try.hpp"

namespace stad {
namespace {

constexpr Index kTaughtRows = 20;         // of a step: the correction keeps rows of several steps
constexpr double kNormalQuantile = 1.96;  // of a two-sided 95 % interval
constexpr Index kLeastSteps = 5;          // fewer bets cannot reach the threshold

/// A time step of the history.
struct HistoryStep {
  double time = 0;
  Index first = 0;
  Index rows = 0;
};

/// Rows of a step on which a candidate and the base differ.
struct Differences {
  double net = 0;   ///< rows on which the candidate alone is right minus those on which the base alone is
  double rows = 0;  ///< on which their labels differ

  /// The expected outcome of one such row, drawn at random: what a requested label would have shown.
  double mean_outcome() const { return rows > 0 ? net / rows : 0; }
};

/// A candidate along the history.
struct CandidateHistory {
  std::vector<double> gains;  ///< of every step: its accuracy minus the base's
  std::optional<double> admitted;
};

Result<std::vector<HistoryStep>> steps_of(const FeatureStream& history, Index classes) {
  if (!history.has_labels() || !history.has_time())
    return invalid(fmt::format("{}: has no {}, a history needs labels and times", history.name,
                               history.has_labels() ? "times" : "labels"));
  std::vector<HistoryStep> steps;
  for (Index n = 0; n < history.features.rows; ++n) {
    const auto row = static_cast<std::size_t>(n);
    if (history.labels[row] < 0 || history.labels[row] >= classes)
      return invalid(fmt::format("{}: row {} has label {}, must be from 0 to {}", history.name, n, history.labels[row],
                                 classes - 1));
    const double time = history.time[row];
    if (!steps.empty() && time < steps.back().time)
      return invalid(
          fmt::format("{}: row {} has time {} after {}, must not decrease", history.name, n, time, steps.back().time));
    if (steps.empty() || time != steps.back().time) steps.push_back({time, n, 0});
    ++steps.back().rows;
  }
  if (static_cast<Index>(steps.size()) < kLeastSteps)
    return invalid(fmt::format("{}: has {} time steps, must have at least {}: every step is one bet", history.name,
                               steps.size(), kLeastSteps));
  return steps;
}

/// Adapts to the rows of a step and counts where each candidate differs from the base.
Result<std::vector<Differences>> run_step(StadSafeAdapter& adapter, const FeatureStream& history,
                                          const HistoryStep& step, Index batch_size) {
  const Contest& contest = *adapter.contest();
  std::vector<Differences> differences(contest.candidates().size());
  Predictions answer;
  for (Index first = step.first; first < step.first + step.rows; first += batch_size) {
    const Index rows = std::min(batch_size, step.first + step.rows - first);
    STAD_TRY(adapter.adapt(Batch(history.features.rows_from(first, rows), step.time), answer));
    for (std::size_t c = 0; c < differences.size(); ++c)
      for (std::size_t n = 0; n < static_cast<std::size_t>(rows); ++n) {
        const std::int64_t own = contest.answers()[c].labels[n];
        const std::int64_t base = contest.base_labels()[n];
        differences[c].rows += own != base ? 1 : 0;
        differences[c].net += Contest::outcome(own, base, history.labels[static_cast<std::size_t>(first) + n]);
      }
  }
  return differences;
}

/// Teaches rows that are evenly spaced over the step.
void teach_step(Contest& contest, const FeatureStream& history, const HistoryStep& step) {
  const Index count = std::min(step.rows, kTaughtRows);
  Matrix rows(count, history.features.cols);
  std::vector<std::int64_t> labels;
  for (Index i = 0; i < count; ++i) {
    const Index n = step.first + i * step.rows / count;
    std::ranges::copy(history.features.row(n), rows.row(i).begin());
    labels.push_back(history.labels[static_cast<std::size_t>(n)]);
  }
  contest.teach(rows.view(), labels);
}

void write_gain(const std::vector<double>& gains, CandidateRecord& record) {
  const auto count = static_cast<double>(gains.size());
  double squares = 0;
  for (const double gain : gains) record.gain += gain / count;
  for (const double gain : gains) squares += (gain - record.gain) * (gain - record.gain);
  record.gain_error = kNormalQuantile * std::sqrt(squares / (count - 1) / count);
}

/// The run of steps whose gains have the smallest sum (Kadane's algorithm).
void write_worst_run(const std::vector<double>& gains, const std::vector<HistoryStep>& steps, CandidateRecord& record) {
  double least = 0, sum = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    if (sum >= 0) {
      sum = 0;
      first = i;
    }
    sum += gains[i];
    if (sum >= least) continue;
    least = sum;
    record.worst_gain = sum / static_cast<double>(i - first + 1);
    record.worst_from = steps[first].time;
    record.worst_until = steps[i].time;
  }
}

/// One bet of every candidate, and labels that teach them.
Status certify_step(StadSafeAdapter& adapter, const FeatureStream& history, const HistoryStep& step, Index batch_size,
                    std::vector<CandidateHistory>& histories) {
  Contest& contest = *adapter.contest();
  STAD_ASSIGN(const auto differences, run_step(adapter, history, step, batch_size));
  std::vector<double> outcomes;
  for (std::size_t c = 0; c < differences.size(); ++c) {
    outcomes.push_back(differences[c].mean_outcome());
    histories[c].gains.push_back(differences[c].net / static_cast<double>(step.rows));
  }
  contest.add_step(outcomes);
  teach_step(contest, history, step);
  if (const Index winner = contest.certificate().answering(); winner != safe::Certificate::kBase)
    if (auto& admitted = histories[static_cast<std::size_t>(winner)].admitted; !admitted) admitted = step.time;
  return {};
}

std::vector<CandidateRecord> records_of(const Contest& contest, const std::vector<CandidateHistory>& histories,
                                        const std::vector<HistoryStep>& steps) {
  Health health;
  contest.write_health(health);
  std::vector<CandidateRecord> records;
  for (std::size_t c = 0; c < histories.size(); ++c) {
    const CandidateStatus& status = health.candidates[c];
    records.push_back({.name = status.name,
                       .answers = status.answers,
                       .admitted = histories[c].admitted,
                       .wealth = status.wealth,
                       .threshold = status.threshold});
    write_gain(histories[c].gains, records.back());
    write_worst_run(histories[c].gains, steps, records.back());
  }
  return records;
}

}  // namespace

Result<Certification> certify(const SourceModel& source, const FeatureStream& history, const std::string& candidates,
                              Index batch_size) {
  if (history.features.cols != source.dimension())
    return invalid(fmt::format("{}: features have {} columns, must have {} as the source has", history.name,
                               history.features.cols, source.dimension()));
  if (batch_size < 1) return invalid(fmt::format("batch size = {}, must be at least 1", batch_size));
  STAD_ASSIGN(const auto steps, steps_of(history, source.classes()));
  StadSafeOptions options;
  options.candidates = candidates == "auto" ? "chains,fine-tune" : candidates;
  STAD_TRY(options.validate());
  STAD_ASSIGN(Candidates made, make_candidates(source, options));
  if (made.empty()) return invalid("certify: candidates is none, must name at least one");
  StadSafeAdapter adapter(source, options, std::move(made));

  std::vector<CandidateHistory> histories(adapter.contest()->candidates().size());
  for (const HistoryStep& step : steps) STAD_TRY(certify_step(adapter, history, step, batch_size, histories));
  const Contest& contest = *adapter.contest();
  STAD_ASSIGN(SourceModel certified, source.with_certificate(contest.make_certificate(source)));
  return Certification{.source = std::move(certified),
                       .rows = history.features.rows,
                       .steps = static_cast<Index>(steps.size()),
                       .candidates = records_of(contest, histories, steps)};
}

}  // namespace stad
