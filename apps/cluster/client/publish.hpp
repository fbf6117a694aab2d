#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <stad/eval/pipeline.hpp>
#include <stad/matrix.hpp>
#include <stad/streams.hpp>

#include "cluster/layout/names.hpp"
#include "cluster/nats/connection.hpp"
#include "cluster/nats/message.hpp"

namespace stad::cluster {

struct PublishSettings {
  std::string model;
  std::string stream;        ///< with several streams, followed by "-" and their number
  std::int64_t streams = 1;  ///< to which the batches are distributed in turn
  BatchSettings batches;
  double rate = 0;                   ///< batches a second; 0: unlimited
  std::string run;                   ///< prefix of the message ids; a repeated run of the same name is not stored twice
  std::chrono::seconds timeout{60};  ///< for servers that do not answer
};

struct PublishReport {
  std::int64_t batches = 0;
  std::int64_t messages = 0;  ///< more than batches where batches were split
  std::int64_t rows = 0;
  std::int64_t repeated = 0;  ///< messages that the servers had stored before
  double seconds = 0;
};

/// Publishes a recorded stream to the cluster in order. Batches that do not fit a message are split. Throws AppError,
/// or NatsError where the servers do not answer within the timeout.
/// @param keep_going called with the numbers of sent and of all messages; returns false to stop
PublishReport publish(const NatsConnection& connection, const FeatureStream& stream, const PublishSettings& settings,
                      const std::function<bool(std::int64_t, std::int64_t)>& keep_going);

/// A batch of embeddings as a request of the Open Inference Protocol with a binary tensor.
/// @param id by which the servers detect repetitions
NatsMessage input_message(const StreamName& name, MatrixView features, std::optional<double> time,
                          const std::string& id);

/// The number of rows of this dimension that fit a message; 0: none.
Index rows_that_fit(std::size_t max_payload, Index dimension);

}  // namespace stad::cluster
