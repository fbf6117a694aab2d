#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/report/exhibits.hpp"

namespace stad::cli::bench {

/// The warning levels of all runs of a candidate; none if a run failed or its source has no card.
std::optional<WarningRecord> warnings_of(const CandidateRuns& candidate);

struct WarningRow {
  std::string place;  ///< stream and setting
  std::string title;  ///< of the method
  WarningRecord record;
};

/// Every method: first its sum over all streams, then stream by stream.
std::vector<WarningRow> warning_rows(const Results& results);

// As JSON, and as text for the terminal.
Json warnings_json(const CandidateRuns& candidate);
std::string warnings_text(const Results& results);

}  // namespace stad::cli::bench
