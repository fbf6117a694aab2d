#pragma once

#include <functional>
#include <string>

#include "plan.hpp"
#include "run_record.hpp"

namespace stad::cli::bench {

/// Runs it. Whatever goes wrong in the middle becomes a failed record, so that the other runs go on.
/// @param keep_going asked before every batch; false fails the run
RunRecord execute(const PlannedRun& run, const std::string& machine, const std::function<bool()>& keep_going);

}  // namespace stad::cli::bench
