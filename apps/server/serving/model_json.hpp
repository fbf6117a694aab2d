#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "server/serving/model.hpp"

namespace stad::server {

/// {"name", "method", "options": {...}, "mode", "max_batch", "max_delay": milliseconds}; what is left out has its
/// default, what is not known is refused. Throws Refusal.
ModelSpecification specification_of(const nlohmann::ordered_json& object);
ModelSpecification specification_of(std::string_view json);

std::string specification_json(const ModelSpecification& specification);

}  // namespace stad::server
