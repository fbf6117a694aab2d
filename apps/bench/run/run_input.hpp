#pragma once

#include "bench/plan/run_plan.hpp"

namespace stad::cli::bench {

/// What a run starts from: a fresh adapter and the rows it takes.
struct RunInput {
  AdapterPointer adapter;
  FeatureStream rows;  ///< embeddings, or images
};

/// Makes what is not there yet, embeddings or corrupted images, which may take long.
Result<RunInput> open_input(const PlannedRun& run, const KeepWorking& keep_working);

}  // namespace stad::cli::bench
