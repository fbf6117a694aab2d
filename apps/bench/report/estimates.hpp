#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/report/exhibits.hpp"

namespace stad::cli::bench {

/// How far accuracies estimated without labels are off, in points on average over time steps.
struct EstimateFigures {
  double accuracy = 0;    ///< in percent, to compare with
  double estimate = 0;    ///< mean absolute error of the estimate
  double confidence = 0;  ///< of mean confidence, the trivial estimate
  double covered = 0;     ///< percent of time steps whose accuracy lay in the interval
};

/// Over the runs of a candidate; none where one failed or was not watched.
std::optional<EstimateFigures> estimate_figures(const Candidate& candidate);

struct EstimateRow {
  std::string place;  ///< the stream in its setting
  std::string title;  ///< of the method
  EstimateFigures figures;
};

/// Every method, its mean over all streams first, then stream by stream.
std::vector<EstimateRow> estimate_rows(const Results& results);

// What of it a program, and a person at a terminal, is told.
Json estimate_json(const Candidate& candidate);
std::string estimates_text(const Results& results);

}  // namespace stad::cli::bench
