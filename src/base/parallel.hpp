#pragma once

#include <stad/matrix.hpp>
#include <stad/threads.hpp>

#include "base/function_ref.hpp"

namespace stad {

// Exported so that libstad-eval and the torch component share one thread pool with libstad. Not part of the public API.

/// Calls work(i) for every i in [0, count), on the library's shared threads. The pieces must not depend on how many
/// threads there are: cut by shape, never by threads(), so that the answers stay the same to the last bit. Calls
/// from inside a piece, or while another caller holds the threads, run in place.
STAD_API void parallel_for(Index count, FunctionRef<void(Index)> work);

/// Cuts [0, count) into runs worth a thread's while and calls work(first, length) for each. `cost` is the number of
/// multiplications one item takes; the cut depends on count and cost alone.
STAD_API void parallel_for_runs(Index count, Index cost, FunctionRef<void(Index first, Index length)> work);

/// The same in runs of a length that the caller's memory likes; where all of it takes less than a thread is worth, in
/// place.
STAD_API void parallel_for_runs_of(Index length, Index count, Index cost, FunctionRef<void(Index first, Index length)> work);

}  // namespace stad
