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

/// Order of the rows of a recorded stream.
enum class Order {
  kAsIs,
  kShuffled,  ///< inside each time step
  kSorted,    ///< by class inside each time step, with classes in random order: the label shift of the paper
};

/// Labels of the stream that are passed to the adapter some batches after their rows.
struct LateLabels {
  Index delay = 1;         ///< in batches; 0: right after the prediction of their batch
  double share = 1;        ///< of the rows, drawn with the seed of the settings
  bool requested = false;  ///< only of rows that the adapter requests (Predictions::label_requests)
};

/// Batches of a recorded stream, and late labels.
struct BatchSettings {
  std::optional<Index> batch_size = std::nullopt;  ///< inside each time step; none: batch_sizes of the stream, else 64
  Order order = Order::kAsIs;
  std::uint64_t seed = 0;
  std::optional<double> since = std::nullopt;            ///< inclusive
  std::optional<double> until = std::nullopt;            ///< inclusive
  bool sort_by_time = false;                             ///< stable; without it time must not decrease
  bool across_steps = false;                             ///< batches may span time steps
  std::optional<LateLabels> late_labels = std::nullopt;  ///< none: labels are used for scoring only
};

/// The rows of one batch, by their position in the stream.
struct PlannedBatch {
  double time = 0;  ///< of its last row
  std::vector<Index> rows;
};

/// Plans the batches of a run. Every selected row belongs to exactly one batch. Batches span time steps only with
/// across_steps.
STAD_API Result<std::vector<PlannedBatch>> plan_batches(const FeatureStream& stream, const BatchSettings& settings);

/// Progress of a run.
struct Progress {
  Index batches_done = 0;
  Index batches = 0;
  Index samples_done = 0;
};
/// Called before every batch; returning false ends the run.
using KeepGoing = std::function<bool(const Progress&)>;

/// Called after every batch with its predictions.
using AfterBatch = std::function<void(const PlannedBatch& batch, const Predictions& answer)>;

/// Performs all checks of run() without running it.
STAD_API Status check_run(const FeatureStream& stream, const Adapter& adapter, const BatchSettings& settings);

/// Health of one time step: means and sums over its batches, and the warning, the guard and the prototypes of the last
/// of them. A stream without times is divided into at most 100 runs of batches.
struct StepHealth {
  double time = 0;   ///< 0 for a stream without time stamps
  Index before = 0;  ///< rows of earlier steps
  Index samples = 0;
  Health health;
};

/// The warning level of time steps against their labels. What a step lost is the accuracy of the source's card minus
/// the accuracy of the step's answers. The level itself is about the source: a method that gains over the source has
/// more false alarms.
struct STAD_API WarningRecord {
  Index steps = 0;  ///< with labels and a warning level
  Index fine = 0;
  Index watch = 0;
  Index act = 0;
  Index missed = 0;        ///< fine although more than 10 points were lost
  Index false_alarms = 0;  ///< act although nothing was lost

  WarningRecord& operator+=(const WarningRecord& other);
  bool operator==(const WarningRecord&) const = default;
};

/// Results of a run.
struct RunReport {
  Index samples = 0;
  Index batches = 0;
  Index undirected = 0;
  Index restarted = 0;
  Observed labels;  ///< counts of late labels
  double adapt_seconds = 0;
  Predictions predictions;                ///< of the selected rows, in the order of the stream
  std::optional<Evaluation> evaluation;   ///< none if no selected row has a class
  std::vector<StepHealth> health;         ///< empty without monitoring
  std::optional<WarningRecord> warnings;  ///< if there are labels and warning levels
};

/// Adapts to all batches and evaluates the predictions. Checks the whole stream before the first batch, so that an
/// invalid stream leaves the adapter unchanged.
STAD_API Result<RunReport> run(Adapter& adapter, const FeatureStream& stream, const BatchSettings& settings,
                               const KeepGoing& keep_going = {}, const AfterBatch& after_batch = {});

}  // namespace stad
