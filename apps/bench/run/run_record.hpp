#pragma once

#include <optional>
#include <string>
#include <vector>

#include <stad/eval/pipeline.hpp>
#include <stad/matrix.hpp>

#include "common/json_text.hpp"

namespace stad::cli::bench {

struct StepScore {
  double time = 0;
  Index samples = 0;
  Index correct = 0;

  double percent() const { return 100 * static_cast<double>(correct) / static_cast<double>(samples); }
};

/// Where the prototypes stand at the end of a time step, in degrees. Absent where a step has too few classes.
struct StepGeometry {
  double time = 0;
  std::optional<double> source_angle;        ///< from the source weights to the true class centres, on average
  std::optional<double> adapted_angle;       ///< from the adapted prototypes
  std::optional<double> true_dispersion;     ///< mean angle between the true centres
  std::optional<double> source_dispersion;   ///< between the source weights
  std::optional<double> adapted_dispersion;  ///< between the adapted prototypes
};

/// What was told of a time step without labels.
struct StepTold {
  double time = 0;
  double estimate = 0;  ///< of the accuracy
  double low = 0;
  double high = 0;
  double confidence = 0;  ///< the mean: the trivial estimate
  double flip_rate = 0;
  std::optional<double> trust;
  std::optional<double> dispersion;  ///< degrees
  std::optional<double> movement;    ///< degrees from the source, on average over classes
};

struct MapPoint {
  double x = 0;
  double y = 0;
  Index class_index = 0;
};

/// A time step in two dimensions.
struct StepMap {
  std::vector<MapPoint> samples;
  std::vector<MapPoint> source;   ///< the source weights
  std::vector<MapPoint> adapted;  ///< the prototypes at the end of the step
};

/// What a run gave. A failed one has a reason and no figures.
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
  std::vector<StepTold> health;
  std::optional<EstimateErrors> estimate_errors;
  std::optional<StepMap> map;
  std::string version;
  std::string machine;
};

Json to_json(const RunRecord& record);
/// Throws a std::exception on what is not one of ours.
RunRecord record_from(const Json& json);

}  // namespace stad::cli::bench
