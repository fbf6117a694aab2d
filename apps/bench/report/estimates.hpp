#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/report/exhibits.hpp"

namespace stad::cli::bench {

/// Errors of accuracies estimated without labels, in points, mean over time steps.
struct EstimateFigures {
  double accuracy = 0;    ///< in percent, for comparison
  double estimate = 0;    ///< mean absolute error of the estimate
  double confidence = 0;  ///< of mean confidence, the trivial estimate
  double covered = 0;     ///< percent of time steps whose accuracy lay in the interval
};

/// Means over the runs of a candidate; none if a run failed or has no health records.
std::optional<EstimateFigures> estimate_figures(const CandidateRuns& candidate);

struct EstimateRow {
  std::string place;  ///< stream and setting
  std::string title;  ///< of the method
  EstimateFigures figures;
};

/// Every method: first its mean over all streams, then stream by stream.
std::vector<EstimateRow> estimate_rows(const Results& results);

// As JSON, and as text for the terminal.
Json estimate_json(const CandidateRuns& candidate);
std::string estimates_text(const Results& results);

}  // namespace stad::cli::bench
