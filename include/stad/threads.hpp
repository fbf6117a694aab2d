#pragma once

#include <stad/export.hpp>

namespace stad {

/// How many threads one call into the library may use (at least 1; 1 is the default, so that a server which runs
/// many adapters side by side is not oversubscribed). The answers do not depend on it, not even in the last
/// bit, but for methods that run a network.
/// Not to be called while an adapter is at work. A forked child keeps the count and makes threads of its own.
STAD_API void set_threads(int count);
/// What set_threads() was told last, or 1.
STAD_API int threads();

}  // namespace stad
