#pragma once

#include <vector>

#include "bench/plan/run_plan.hpp"
#include "bench/run/run_record.hpp"
#include "common/interruption.hpp"

namespace stad::cli::bench {

struct RunCounts {
  Index reused = 0;  ///< read from the store
  Index run = 0;
  Index failed = 0;
};

struct Outcome {
  std::vector<RunRecord> records;  ///< one for each planned run, in the order of the plan
  RunCounts counts;                ///< of distinct runs
};

/// Executes the runs that are not in the store, several in parallel, and stores each when it is finished. Runs of
/// experiments with `alone` follow one at a time. Throws Interrupted after a signal; finished runs stay in the store.
Outcome run_all(const Plan& plan, const RunStore& store, int threads, bool show_progress,
                const InterruptionWatch& watch);

}  // namespace stad::cli::bench
