#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/layout.hpp"
#include "cluster/nats/connection.hpp"
#include "cluster/nats/pull_consumer.hpp"
#include "cluster/owning/roster.hpp"

namespace stad::cluster {

struct PartitionStatus {
  std::int64_t number = 0;
  PartitionEntry entry;
  std::optional<ConsumerProgress> progress;  ///< none: nobody takes its messages
};

/// How a cluster stands.
struct ClusterStatus {
  std::vector<PartitionStatus> partitions;
  std::vector<WorkerEntry> workers;
  StreamFacts inputs, results, dead;

  /// Messages not committed; none: of a partition that nobody takes messages of it is not known.
  std::optional<std::uint64_t> lag() const;
};

/// Throws Refusal where there is no cluster.
ClusterStatus status_of(const Connection& connection, Roster& roster);

std::string json_of(const ClusterStatus& status);
/// Tables for people.
std::string text_of(const ClusterStatus& status);

}  // namespace stad::cluster
