#pragma once

#include <cstddef>

#include "server/http/json.hpp"
#include "serving/model.hpp"

namespace stad::server {

/// Name, version and extensions of the service, by the names of Triton.
Json server_metadata();

/// Inputs and outputs of a model: the metadata of the Open Inference Protocol.
Json metadata_of(const ServedModel& model);

/// ModelConfig of Triton. 64-bit numbers are JSON numbers, as Triton writes them.
/// @param max_rows of a request
Json config_of(const ServedModel& model, std::size_t max_rows);

/// An element of model_stats of Triton.
Json statistics_of(const ServedModel& model);

}  // namespace stad::server
