#pragma once

#include <string>
#include <vector>

#include <stad/eval/pipeline.hpp>

#include "common/json_text.hpp"

namespace stad::cli {

/// Of all steps: sums and means, and how things stood at the end.
Health total_health(const std::vector<StepHealth>& steps);

// In one line for people.
std::string health_text(const std::vector<StepHealth>& steps);
std::string guard_text(const Guard& guard);

/// Everything there is; null where nothing is known.
Json health_json(const Health& health);

}  // namespace stad::cli
