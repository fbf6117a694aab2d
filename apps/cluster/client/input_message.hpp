#pragma once

#include <optional>
#include <string>

#include <stad/matrix.hpp>

#include "cluster/names.hpp"
#include "cluster/nats/message.hpp"

namespace stad::cluster {

/// One batch of embeddings as a request of the Open Inference Protocol with its tensor as bytes.
/// @param id by which the servers know a message that comes again
Message input_message(const StreamName& name, MatrixView features, std::optional<double> time, const std::string& id);

/// How many rows of this dimension fit a message of so many bytes; 0: not even one.
Index rows_that_fit(std::size_t max_payload, Index dimension);

}  // namespace stad::cluster
