#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include <stad/eval/pipeline.hpp>

#include "base/try.hpp"
#include "data/feature_rules.hpp"
#include "pipeline/health_log.hpp"
#include "pipeline/late_labels.hpp"

namespace stad {
namespace {

using Clock = std::chrono::steady_clock;

Status check_rows(const FeatureStream& stream, Index classes, const std::vector<PlannedBatch>& batches) {
  for (const PlannedBatch& batch : batches)
    for (const Index row : batch.rows) {
      if (const auto broken = find_broken_value(stream.features.rows_from(row, 1)))
        return invalid(fmt::format("{}: features row {} column {} is {}, {}", stream.name, row, broken->column,
                                   broken->value, kValueRule));
      if (stream.has_labels() && (stream.labels[row] < kNoClass || stream.labels[row] >= classes))
        return invalid(fmt::format("{}: labels row {} is {}, must be from 0 to {}, or {} for none of them", stream.name,
                                   row, stream.labels[row], classes - 1, kNoClass));
    }
  return {};
}

Status check_dimension(const FeatureStream& stream, const Adapter& adapter) {
  if (stream.features.cols == adapter.input_dimension()) return {};
  const bool takes_features = adapter.input_dimension() == adapter.source().dimension();
  return invalid(fmt::format("{}: features have {} columns, must have {} as the {} has", stream.name,
                             stream.features.cols, adapter.input_dimension(),
                             takes_features ? "source weight" : "network's input"));
}

bool consecutive(const std::vector<Index>& rows) {
  return rows.back() - rows.front() + 1 == static_cast<Index>(rows.size()) && std::is_sorted(rows.begin(), rows.end());
}

/// A view of consecutive rows; other rows are copied to `gathered`.
MatrixView rows_of(const FeatureStream& stream, const std::vector<Index>& rows, Matrix& gathered) {
  if (consecutive(rows)) return stream.features.rows_from(rows.front(), static_cast<Index>(rows.size()));
  gathered.resize(static_cast<Index>(rows.size()), stream.features.cols);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = stream.features.row(rows[i]);
    std::copy(row.begin(), row.end(), gathered.row(static_cast<Index>(i)).begin());
  }
  return gathered;
}

/// Position of each row of the stream among the selected rows, in the order of the stream; -1 for the others.
std::vector<Index> places_of(const std::vector<PlannedBatch>& batches, Index rows) {
  std::vector<Index> places(static_cast<std::size_t>(rows), -1);
  for (const PlannedBatch& batch : batches)
    for (const Index row : batch.rows) places[row] = 0;
  Index next = 0;
  for (Index& place : places)
    if (place == 0) place = next++;
  return places;
}

/// Accumulates the report batch by batch.
class RunRecorder {
 public:
  RunRecorder(const FeatureStream& stream, const std::vector<PlannedBatch>& batches, const SourceModel& source)
      : stream_(stream),
        places_(places_of(batches, stream.features.rows)),
        card_accuracy_(source.card().accuracy),
        evaluator_(source.classes()),
        health_(stream.has_time(), static_cast<Index>(batches.size())) {
    for (const PlannedBatch& batch : batches) report_.samples += static_cast<Index>(batch.rows.size());
    report_.predictions.labels.resize(static_cast<std::size_t>(report_.samples));
    report_.predictions.probabilities.resize(report_.samples, source.classes());
  }

  void add(const PlannedBatch& batch, const Predictions& answer) {
    std::vector<std::int64_t> truth;
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      const Index place = places_[batch.rows[i]];
      const auto probabilities = answer.probabilities.row(static_cast<Index>(i));
      report_.predictions.labels[place] = answer.labels[i];
      std::copy(probabilities.begin(), probabilities.end(), report_.predictions.probabilities.row(place).begin());
      if (stream_.has_labels()) truth.push_back(stream_.labels[batch.rows[i]]);
    }
    for (const Index n : answer.label_requests)
      report_.predictions.label_requests.push_back(places_[batch.rows[static_cast<std::size_t>(n)]]);
    if (stream_.has_labels()) score(batch, truth, answer);
    if (answer.health.is_told()) health_.add(batch, answer.health);
    ++report_.batches;
    report_.undirected += answer.undirected;
    report_.restarted += answer.restarted;
  }

  /// Evaluates by time step, because a batch may span several.
  void score(const PlannedBatch& batch, const std::vector<std::int64_t>& truth, const Predictions& answer) {
    const auto time_of = [&](std::size_t i) { return stream_.has_time() ? stream_.time[batch.rows[i]] : 0; };
    for (std::size_t first = 0, next = 0; first < batch.rows.size(); first = next) {
      while (next < batch.rows.size() && time_of(next) == time_of(first)) ++next;
      const auto part = [&](const auto& values) { return std::span(values).subspan(first, next - first); };
      evaluator_.add(part(truth), part(answer.labels),
                     answer.probabilities.view().rows_from(static_cast<Index>(first), static_cast<Index>(next - first)),
                     time_of(first));
    }
  }

  RunReport finish(double adapt_seconds, const Observed& labels) {
    report_.adapt_seconds = adapt_seconds;
    report_.labels = labels;
    std::ranges::sort(report_.predictions.label_requests);
    report_.predictions.undirected = report_.undirected;
    report_.predictions.restarted = report_.restarted;
    if (auto evaluation = evaluator_.evaluation(); evaluation.samples > 0) report_.evaluation = std::move(evaluation);
    report_.health = health_.take();
    if (report_.evaluation)
      report_.warnings = warning_record(*report_.evaluation, report_.health, stream_.has_time(), card_accuracy_);
    return std::move(report_);
  }

 private:
  const FeatureStream& stream_;
  std::vector<Index> places_;
  std::optional<double> card_accuracy_;
  Evaluator evaluator_;
  HealthLog health_;
  RunReport report_;
};

/// The planned batches, after all checks of stream, adapter and settings.
Result<std::vector<PlannedBatch>> checked_batches(const FeatureStream& stream, const Adapter& adapter,
                                                  const BatchSettings& settings) {
  STAD_TRY(check_dimension(stream, adapter));
  STAD_TRY(check_late_labels(stream, adapter, settings));
  STAD_ASSIGN(auto batches, plan_batches(stream, settings));
  STAD_TRY(check_rows(stream, adapter.source().classes(), batches));
  return batches;
}

}  // namespace

Status check_run(const FeatureStream& stream, const Adapter& adapter, const BatchSettings& settings) {
  STAD_TRY(checked_batches(stream, adapter, settings));
  return {};
}

Result<RunReport> run(Adapter& adapter, const FeatureStream& stream, const BatchSettings& settings,
                      const KeepGoing& keep_going, const AfterBatch& after_batch) {
  STAD_ASSIGN(const auto batches, checked_batches(stream, adapter, settings));

  RunRecorder recorder(stream, batches, adapter.source());
  LateLabelFeed label_feed(stream, settings);
  Matrix gathered;
  Progress progress{0, static_cast<Index>(batches.size()), 0};
  Clock::duration adapting{};
  for (const PlannedBatch& batch : batches) {
    if (keep_going && !keep_going(progress))
      return failed(fmt::format("interrupted after {} of {} batches", progress.batches_done, progress.batches));
    const MatrixView features = rows_of(stream, batch.rows, gathered);
    Batch input(features);
    if (stream.has_time()) input.time = batch.time;
    input.ids = label_feed.ids_of(batch);
    const auto start = Clock::now();
    STAD_ASSIGN(const Predictions answer, adapter.adapt(input));
    STAD_TRY(label_feed.deliver(batches, progress.batches_done, answer, adapter));
    adapting += Clock::now() - start;
    recorder.add(batch, answer);
    if (after_batch) after_batch(batch, answer);
    ++progress.batches_done;
    progress.samples_done += features.rows;
  }
  return recorder.finish(std::chrono::duration<double>(adapting).count(), label_feed.observed());
}

}  // namespace stad
