#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "cluster/nats/connection.hpp"

namespace stad::cluster {

/// How the servers are to keep things, where they do not yet.
struct LayoutSettings {
  std::int64_t partitions = 16;  ///< as the servers' mapping says
  std::int64_t replicas = 1;
  std::chrono::hours kept{24};        ///< inputs and results
  std::chrono::seconds repeats{120};  ///< in which a message id that comes again is dropped
};

/// Makes the streams and buckets that are not there. Returns the number of partitions there are. Throws Refusal where
/// that is not what the settings say, Trouble where the servers do not answer.
std::int64_t make_layout(const Connection& connection, const LayoutSettings& settings);

/// Of a cluster that is there; 0: there is none.
std::int64_t count_partitions(const Connection& connection);

/// What a stream of the servers holds.
struct StreamFacts {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t first = 0;  ///< sequence of the oldest it still has
  std::uint64_t last = 0;   ///< of the newest
  std::int64_t replicas = 0;
  std::string leader;        ///< name of the server that leads it; empty: one server alone, or none leads
  std::int64_t current = 1;  ///< replicas that have everything
};
StreamFacts facts_of(const Connection& connection, const char* stream);

}  // namespace stad::cluster
