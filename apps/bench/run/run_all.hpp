#pragma once

#include <vector>

#include "bench/plan/run_plan.hpp"
#include "bench/run/run_record.hpp"
#include "bench/run/run_store.hpp"
#include "common/interruption.hpp"

namespace stad::cli::bench {

struct Tally {
  Index reused = 0;  ///< found in the store
  Index run = 0;
  Index failed = 0;
};

struct Outcome {
  std::vector<RunRecord> records;  ///< one for each planned run, in its order
  Tally tally;                     ///< of distinct runs
};

/// Runs what the store does not hold yet, several at a time, and keeps each as soon as it is finished. Experiments
/// that are to be alone follow one run at a time. Throws Interrupted when asked to stop; what was finished is kept.
Outcome run_all(const Plan& plan, const RunStore& store, int threads, bool show_progress,
                const InterruptionWatch& watch);

}  // namespace stad::cli::bench
