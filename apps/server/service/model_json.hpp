#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "serving/model.hpp"

namespace stad::server {

using namespace serving;

/// Reads {"name", "method", "options": {...}, "mode", "max_batch", "max_delay": milliseconds}; missing properties have
/// their default, unknown ones are errors. Throws AppError.
ModelSpecification specification_of(const nlohmann::ordered_json& object);
ModelSpecification parse_specification(std::string_view json);

std::string specification_json(const ModelSpecification& specification);

}  // namespace stad::server
