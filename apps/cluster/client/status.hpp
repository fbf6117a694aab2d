#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/layout/layout.hpp"
#include "cluster/nats/connection.hpp"
#include "cluster/nats/pull_consumer.hpp"
#include "cluster/ownership/roster.hpp"

namespace stad::cluster {

struct PartitionStatus {
  std::int64_t number = 0;
  PartitionEntry entry;
  std::optional<ConsumerProgress> progress;  ///< none: it has no consumer
};

/// Workers, partitions and streams of a cluster.
struct ClusterStatus {
  std::vector<PartitionStatus> partitions;
  std::vector<WorkerEntry> workers;
  JetStreamInfo inputs, results, dead;

  /// Messages not committed; none: unknown, since a partition has no consumer.
  std::optional<std::uint64_t> lag() const;
};

/// Throws NatsError.
ClusterStatus status_of(const NatsConnection& connection, Roster& roster);

std::string json_of(const ClusterStatus& status);
/// As tables.
std::string text_of(const ClusterStatus& status);

}  // namespace stad::cluster
