#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <stad/eval/pipeline.hpp>
#include <stad/streams.hpp>

#include "cluster/nats/connection.hpp"

namespace stad::cluster {

struct PublishSettings {
  std::string model;
  std::string stream;        ///< with several streams, "-" and their number follow
  std::int64_t streams = 1;  ///< that the batches are dealt to in turn
  BatchSettings batches;
  double rate = 0;  ///< batches a second; 0: as fast as they are kept
  std::string run;  ///< begins every message id; a run that is repeated under its name is not kept twice
  std::chrono::seconds patience{60};  ///< with servers that do not answer
};

struct PublishReport {
  std::int64_t batches = 0;
  std::int64_t messages = 0;  ///< more than batches where one was too large
  std::int64_t rows = 0;
  std::int64_t repeated = 0;  ///< that the servers had already
  double seconds = 0;
};

/// Feeds a recorded stream to the cluster, in its order. What does not fit a message is split. Throws Refusal, or
/// Trouble where the servers do not answer for longer than the patience lasts.
/// @param keep_going asked with the messages sent and all there are; false ends it
PublishReport publish(const Connection& connection, const FeatureStream& stream, const PublishSettings& settings,
                      const std::function<bool(std::int64_t, std::int64_t)>& keep_going);

}  // namespace stad::cluster
