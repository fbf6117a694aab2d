#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "cluster/nats/connection.hpp"

namespace stad::cluster {

/// How missing streams and buckets are created.
struct LayoutSettings {
  std::int64_t partitions = 16;  ///< must equal the servers' subject mapping
  std::int64_t replicas = 1;
  std::chrono::hours kept{24};        ///< retention of inputs and results
  std::chrono::seconds repeats{120};  ///< window in which repeated message ids are dropped
};

/// Creates missing streams and buckets. Returns the number of partitions. Throws AppError where it differs from the
/// settings, NatsError where the servers do not answer.
std::int64_t create_layout(const NatsConnection& connection, const LayoutSettings& settings);

/// The number of partitions of the cluster; 0: there is no cluster.
std::int64_t count_partitions(const NatsConnection& connection);

/// Content and replication of a JetStream stream.
struct JetStreamInfo {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t first = 0;  ///< sequence of the oldest message
  std::uint64_t last = 0;   ///< of the newest message
  std::int64_t replicas = 0;
  std::string leader;        ///< name of the leading server; empty: a single server, or no leader
  std::int64_t current = 1;  ///< replicas that are up to date
};
JetStreamInfo stream_info(const NatsConnection& connection, const char* stream);

}  // namespace stad::cluster
