#pragma once

#include <string>

#include "bench/plan/run_plan.hpp"

namespace stad::cli::bench {

/// Everything that decides the outcome of a run.
/// @param program the fingerprint of the program that runs it
Json identity_of(const PlannedRun& run, const std::string& program);

/// The identity as a short name.
std::string key_of(const Json& identity);

}  // namespace stad::cli::bench
