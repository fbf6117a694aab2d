#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "cluster/nats/connection.hpp"
#include "cluster/worker/state_store.hpp"
#include "serving/model.hpp"

namespace stad::cluster {

/// Counters of a worker, updated by the threads of all its partitions.
struct WorkerCounters {
  std::atomic<std::uint64_t> batches{0};  ///< answered
  std::atomic<std::uint64_t> rows{0};
  std::atomic<std::uint64_t> dead{0};         ///< messages that were rejected
  std::atomic<std::uint64_t> repeated{0};     ///< messages that had been processed before
  std::atomic<std::uint64_t> redelivered{0};  ///< messages that the servers delivered again
  std::atomic<std::uint64_t> takeovers{0};    ///< partitions taken from owners whose lease had expired
  std::atomic<std::uint64_t> fenced{0};       ///< writes rejected because of an expired claim or another writer
  std::atomic<std::uint64_t> restarts{0};     ///< of partitions, from what was committed
  std::atomic<std::uint64_t> rebuilt{0};      ///< states, from a snapshot and the log
  std::atomic<std::uint64_t> commits{0};
  std::atomic<std::int64_t> resident_streams{0};
  std::atomic<std::int64_t> resident_bytes{0};
  std::atomic<std::int64_t> dirty_bytes{0};  ///< part of resident_bytes: streams with uncommitted changes
};

struct PartitionSettings {
  std::chrono::milliseconds interval{1000};  ///< between two commits
  int max_in_flight = 1024;                  ///< messages of a partition fetched and not committed
  std::int64_t snapshot_every = 1000;        ///< batches of a stream
  std::int64_t memory = 1'000'000'000;       ///< bytes for streams, of all partitions of the worker
  std::size_t state_limit = 0;               ///< bytes of the largest entry; 0: the servers' limit
};

/// What all partitions of a worker share.
struct WorkerContext {
  const std::string worker;  ///< its id
  const std::int64_t partitions;
  const NatsConnection& connection;
  const serving::Models& models;
  const PartitionSettings& settings;
  WorkerCounters& counters;
  LocalStateCache& cache;
};

}  // namespace stad::cluster
