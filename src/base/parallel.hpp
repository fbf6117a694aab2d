#pragma once

#include <stad/matrix.hpp>
#include <stad/threads.hpp>

#include "base/function_ref.hpp"

namespace stad {

// Exported so that libstad-eval and the torch component share one thread pool with libstad. Not part of the public API.

/// Calls work(i) for every i in [0, count) on the shared thread pool. Items must depend on the shape of the data and
/// not on threads(), so that results are bit-identical for any number of threads. Nested calls, and calls while another
/// thread uses the pool, run in the calling thread.
STAD_API void parallel_for(Index count, FunctionRef<void(Index)> work);

/// Splits [0, count) into runs long enough to pay for a thread and calls work(first, length) for each. `cost` is the
/// number of multiplications of one item; the split depends on count and cost alone.
STAD_API void parallel_for_runs(Index count, Index cost, FunctionRef<void(Index first, Index length)> work);

/// The same with runs of a given length. Runs in the calling thread if the total cost does not pay for a thread.
STAD_API void parallel_for_runs_of(Index length, Index count, Index cost,
                                   FunctionRef<void(Index first, Index length)> work);

}  // namespace stad
