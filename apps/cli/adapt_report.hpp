#pragma once

#include <optional>
#include <string>

#include <stad/adapter.hpp>
#include <stad/backbone.hpp>
#include <stad/eval/pipeline.hpp>
#include <stad/streams.hpp>

namespace stad::cli {

struct Seconds {
  double read = 0;
  double adapt = 0;
  double write = 0;
};

/// What there is to tell about one finished run.
struct AdaptReport {
  const Adapter& adapter;
  const RunReport& run;
  const BatchSettings& batches;
  const std::string& order;        ///< as written
  const std::string& source_path;  ///< where the head came from
  const std::string& stream_path;
  const std::optional<BackboneInfo>& network;  ///< where the rows are images
  bool has_time = false;
  const std::string& health_level;  ///< as written
  Seconds seconds;
};

/// A few lines for people.
std::string summary_text(const AdaptReport& report);
/// Recall and precision of every class.
std::string class_table(const AdaptReport& report);
std::string calibration_text(const AdaptReport& report);
/// One JSON object in one line.
std::string report_json(const AdaptReport& report);

}  // namespace stad::cli
