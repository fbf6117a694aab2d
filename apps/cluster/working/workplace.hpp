#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "cluster/nats/connection.hpp"
#include "server/serving/models.hpp"
#include "cluster/working/figures.hpp"
#include "cluster/working/state_cache.hpp"

namespace stad::cluster {

struct WorkingSettings {
  std::chrono::milliseconds interval{1000};  ///< between two commits
  int max_in_flight = 1024;                  ///< messages of a partition taken and not committed
  std::int64_t snapshot_every = 1000;        ///< batches of a stream
  std::int64_t memory = 1'000'000'000;       ///< bytes for streams, of all partitions of the worker
  std::size_t state_limit = 0;               ///< bytes of the largest entry; 0: as large as the servers take
};

/// What all partitions of a worker share.
struct Workplace {
  const std::string worker;  ///< its id
  const std::int64_t partitions;
  const Connection& connection;
  const server::Models& models;
  const WorkingSettings& settings;
  Figures& figures;
  StateCache& cache;
};

}  // namespace stad::cluster
