#pragma once

#include <optional>

#include "bench/plan/run_plan.hpp"
#include "bench/run/run_record.hpp"

namespace stad::cli::bench {

/// Executes the run. An error gives a failed record instead of an exception, so that the other runs continue.
/// @param time_limit in seconds, without the time to load or compute shared inputs
/// @param should_continue polled before every batch; false fails the run
RunRecord execute(const PlannedRun& run, std::optional<double> time_limit, const ShouldContinue& should_continue);

/// A new adapter and its input rows.
struct RunInput {
  AdapterPointer adapter;
  FeatureStream rows;  ///< embeddings, or images
};

/// Makes the adapter, and computes embeddings or corrupted images on first use, which may take long.
Result<RunInput> open_input(const PlannedRun& run, const ShouldContinue& should_continue);

}  // namespace stad::cli::bench
