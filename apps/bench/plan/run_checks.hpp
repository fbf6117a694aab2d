#pragma once

#include "bench/plan/run_plan.hpp"

// What can only be known once the data is there; everything is refused with the line that says it.

namespace stad::cli::bench {

/// Each value of each option by itself, so that the line of a refusal is the value's own.
void check_values(const MethodSpec& method, const RunData& data);

/// That the stream can run in the setting and be scored.
void check_network(const PlannedRun& run);

/// That the time step is there and has points enough: samples and both prototypes of every class.
void check_projection(const PlannedRun& run);

}  // namespace stad::cli::bench
