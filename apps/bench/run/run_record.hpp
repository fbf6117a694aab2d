#pragma once

#include <optional>
#include <string>
#include <vector>

#include <stad/eval/pipeline.hpp>
#include <stad/matrix.hpp>

#include "bench/plan/run_plan.hpp"
#include "common/json_text.hpp"

namespace stad::cli::bench {

struct StepScore {
  double time = 0;
  Index samples = 0;
  Index correct = 0;

  double percent() const { return 100 * static_cast<double>(correct) / static_cast<double>(samples); }
};

/// Angles of the prototypes at the end of a time step, in degrees. Absent where a step has too few classes.
struct StepGeometry {
  double time = 0;
  std::optional<double> source_angle;        ///< mean angle between source weights and true class centres
  std::optional<double> adapted_angle;       ///< mean angle between adapted prototypes and true class centres
  std::optional<double> true_dispersion;     ///< mean angle between the true centres
  std::optional<double> source_dispersion;   ///< between the source weights
  std::optional<double> adapted_dispersion;  ///< between the adapted prototypes
};

/// The label-free health of a time step.
struct StepHealthRecord {
  double time = 0;
  double confidence = 0;         ///< mean over the rows
  double flip_rate = 0;          ///< share of answers that differ from the source
  std::optional<double> chains;  ///< 1 if label chains answered its last batch, 0 if the source did
};

struct MapPoint {
  double x = 0;
  double y = 0;
  Index class_index = 0;
};

/// The t-SNE map of a time step.
struct StepMap {
  std::vector<MapPoint> samples;
  std::vector<MapPoint> source;   ///< the source weights
  std::vector<MapPoint> adapted;  ///< the prototypes at the end of the step
};

/// The result of a run. A failed run has a reason and no figures.
struct RunRecord {
  bool failed = false;
  std::string reason;
  double pooled = 0;
  double step_mean = 0;
  double calibration_error = 0;
  double seconds_adapt = 0;
  Index samples = 0;
  Index batches = 0;
  Index undirected = 0;
  Index restarted = 0;
  std::vector<StepScore> steps;
  std::vector<StepGeometry> geometry;
  std::vector<StepHealthRecord> health;
  std::optional<WarningRecord> warnings;
  std::optional<StepMap> map;
  std::string version;
  std::string machine;
};

Json to_json(const WarningRecord& warnings);
Json to_json(const RunRecord& record);
/// Throws a std::exception if the JSON is not a valid record.
RunRecord record_from(const Json& json);

/// Finished runs, one file each in the results directory, so that an interrupted bench can be continued. A stored run
/// is reused only if everything that determines its outcome is equal.
class RunStore {
 public:
  explicit RunStore(const std::string& directory);  ///< created if it does not exist

  std::optional<RunRecord> find(const PlannedRun& run) const;
  void keep(const PlannedRun& run, const RunRecord& record) const;

  /// The file of the run, relative to the results directory.
  static std::string file_of(const PlannedRun& run);

 private:
  std::string directory_;
};

}  // namespace stad::cli::bench
