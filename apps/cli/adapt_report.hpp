#pragma once

#include <optional>
#include <string>
#include <vector>

#include <stad/adapter.hpp>
#include <stad/backbone.hpp>
#include <stad/eval/pipeline.hpp>
#include <stad/streams.hpp>

#include "common/json_text.hpp"

namespace stad::cli {

struct Seconds {
  double read = 0;
  double adapt = 0;
  double write = 0;
};

/// The results and settings of one finished run.
struct AdaptReport {
  const Adapter& adapter;
  const RunReport& run;
  const BatchSettings& batches;
  const std::string& order;        ///< value of --order
  const std::string& source_path;  ///< file that the head came from
  const std::string& stream_path;
  const std::optional<BackboneInfo>& network;  ///< set where the rows are images
  bool has_time = false;
  const std::string& health_level;  ///< value of --health
  Seconds seconds;
};

/// The summary for the terminal, one figure a line.
std::string summary_text(const AdaptReport& report);
/// A table of recall and precision by class.
std::string class_table(const AdaptReport& report);
std::string calibration_text(const AdaptReport& report);
/// The report as one JSON object in one line.
std::string report_json(const AdaptReport& report);

/// Aggregates all steps: sums of counts, means weighted by samples, and the last value of everything else.
Health total_health(const std::vector<StepHealth>& steps);

// One line of text for the terminal.
std::string health_text(const std::vector<StepHealth>& steps);
std::string warning_text(Warning warning);
std::string guard_text(const Guard& guard);

/// All values; null where one is not available.
Json health_json(const Health& health);

}  // namespace stad::cli
