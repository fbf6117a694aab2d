#pragma once

#include <optional>

#include "bench/plan/run_plan.hpp"
#include "bench/run/run_record.hpp"

namespace stad::cli::bench {

/// Runs it. Whatever goes wrong in the middle becomes a failed record, so that the other runs go on.
/// @param time_limit seconds the run itself may take, where there is a limit
/// @param keep_going asked before every batch; false fails the run
RunRecord execute(const PlannedRun& run, std::optional<double> time_limit, const KeepWorking& keep_going);

}  // namespace stad::cli::bench
