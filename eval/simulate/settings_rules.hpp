#pragma once

#include <stad/error.hpp>
#include <stad/eval/simulate.hpp>

namespace stad {

/// Rows drawn before the drift, to which the head is fitted.
Index training_rows(const SimulationSettings& settings);

/// The first setting that breaks its rule, or sizes that together need too much memory.
Status check_settings(const SimulationSettings& settings);

}  // namespace stad
