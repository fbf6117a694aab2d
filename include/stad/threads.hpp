#pragma once

#include <stad/export.hpp>

namespace stad {

/// Sets the number of threads of one call into the library, at least 1. The default is 1, so that a server with many
/// adapters is not oversubscribed. Results are bit-identical for any number, except of methods that run a network.
/// Must not be called while an adapter runs. A forked child keeps the number and creates threads of its own.
STAD_API void set_threads(int count);
/// The number of threads set last, or 1.
STAD_API int threads();

}  // namespace stad
