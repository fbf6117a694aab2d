#pragma once

#include <span>

#include "vmf/window.hpp"

namespace stad::vmf {

/// Names the rows of the newest step, by their places in a batch whose ids these are: n, or none. None has a label yet.
template <typename Scalar>
void name_rows(std::span<const std::int64_t> ids, std::span<const Index> places, Window<Scalar>& window);

/// Fixes the class of the newest row of that name. False: no row of that name will be looked at again.
template <typename Scalar>
bool set_known(std::int64_t id, Index label, Window<Scalar>& window);

}  // namespace stad::vmf
