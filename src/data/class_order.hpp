#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

#include "base/random.hpp"

namespace stad {

/// Sorts rows by their label, with the classes in random order: the label shift of the paper inside one time step. Rows
/// of one class keep their order.
STAD_API void sort_by_class(std::span<const std::int64_t> labels, Random& random, std::vector<Index>& rows);

}  // namespace stad
