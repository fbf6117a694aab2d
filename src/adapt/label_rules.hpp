#pragma once

#include <span>

#include <stad/adapter.hpp>
#include <stad/export.hpp>

namespace stad {

STAD_API Status check_takes_labels(const Adapter& adapter);

/// Whether labels may be given to the adapter: it takes them, there is one for each of `count` ids or rows, and all are
/// classes.
Status check_labels(const Adapter& adapter, std::span<const std::int64_t> labels, Index count, const char* counted);

}  // namespace stad
