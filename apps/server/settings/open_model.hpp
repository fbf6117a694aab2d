#pragma once

#include <stad/eval/simulate.hpp>

#include "server/settings/settings.hpp"

namespace stad::server {

/// Six classes in 32 dimensions and traffic that drifts and comes back: what is served where nothing is configured.
Simulation demo_simulation();

/// With its files read. Throws Refusal.
ModelPointer open_model(const ConfiguredModel& model);

}  // namespace stad::server
