#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <stad/adapter.hpp>
#include <stad/error.hpp>
#include <stad/eval/metrics.hpp>
#include <stad/export.hpp>
#include <stad/predictions.hpp>
#include <stad/streams.hpp>

namespace stad {

/// In which order the rows of a recorded stream are taken.
enum class Order {
  kAsIs,
  kShuffled,  ///< inside each time step
  kSorted,    ///< inside each time step by class, classes in random order: the paper's label shift
};

/// Labels of the stream that the adapter is told some time after their rows.
struct LateLabels {
  Index delay = 1;   ///< batches; 0: as soon as their own is answered
  double share = 1;  ///< of the rows, drawn by the seed of the settings
};

/// How a recorded stream is cut into batches, and what of its labels is told.
struct BatchSettings {
  std::optional<Index> batch_size =
      std::nullopt;  ///< cuts inside each time step; none: the stream's batch_sizes, else 64
  Order order = Order::kAsIs;
  std::uint64_t seed = 0;
  std::optional<double> since = std::nullopt;  ///< inclusive
  std::optional<double> until = std::nullopt;  ///< inclusive
  bool sort_by_time = false;                   ///< stable; without it time must not go backwards
  bool across_steps = false;  ///< cut after reordering, regardless of time: a batch may straddle two time stamps
  std::optional<LateLabels> late_labels = std::nullopt;  ///< none: labels only score
};

/// The rows of one batch, by their position in the stream.
struct PlannedBatch {
  double time = 0;  ///< of its last row
  std::vector<Index> rows;
};

/// Cuts the stream. Every row used belongs to exactly one batch; none straddles two time stamps unless asked to.
STAD_API Result<std::vector<PlannedBatch>> plan_batches(const FeatureStream& stream, const BatchSettings& settings);

/// How far the run is.
struct Progress {
  Index batches_done = 0;
  Index batches = 0;
  Index samples_done = 0;
};
/// Asked before every batch; false ends the run.
using KeepGoing = std::function<bool(const Progress&)>;

/// Told of every batch that was answered, while the adapter is as that batch left it.
using AfterBatch = std::function<void(const PlannedBatch& batch, const Predictions& answer)>;

/// Everything that can be wrong with a run of this adapter along this stream, found without running it.
STAD_API Status check_run(const FeatureStream& stream, const Adapter& adapter, const BatchSettings& settings);

/// How the rows of one time step were answered, told without labels: means and sums over its batches, and how things
/// stood after the last of them. A stream without time stamps is told of in pieces, at most a hundred.
struct StepHealth {
  double time = 0;   ///< 0 for a stream without time stamps
  Index before = 0;  ///< rows of earlier steps
  Index samples = 0;
  Health health;
};

/// How far estimates of accuracy without labels are off, on average over time steps, where labels tell.
struct EstimateErrors {
  double estimate = 0;    ///< of the estimated accuracy: mean |estimate - accuracy|
  double confidence = 0;  ///< of mean confidence, the trivial estimate
  double covered = 0;     ///< share of steps whose accuracy lies between low and high
};

/// What came of a run: counts, answers, and the figures that labels or their absence allow.
struct RunReport {
  Index samples = 0;
  Index batches = 0;
  Index undirected = 0;
  Index restarted = 0;
  Index unknown = 0;  ///< rows that rather are of none of the classes, where the method says so
  Observed labels;    ///< what became of late ones
  double adapt_seconds = 0;
  Predictions predictions;                        ///< of the rows used, in the order of the stream
  std::optional<Evaluation> evaluation;           ///< none where no row used has a class
  std::vector<StepHealth> health;                 ///< empty where the adapter is not watched
  std::optional<EstimateErrors> estimate_errors;  ///< where there are both
};

/// The loop: next batch -> adapt -> score -> report. Everything that can be wrong with the stream is found before the
/// first batch, so a refused stream leaves the adapter as it was.
STAD_API Result<RunReport> run(Adapter& adapter, const FeatureStream& stream, const BatchSettings& settings,
                               const KeepGoing& keep_going = {}, const AfterBatch& after_batch = {});

}  // namespace stad
