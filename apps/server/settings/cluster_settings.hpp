#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace stad::cli {
class TomlTable;
}

namespace stad::server {

/// The table [cluster]: where the NATS servers are and how workers share the streams ([cluster](docs/cluster.md)).
struct ClusterSettings {
  std::string nats = "nats://127.0.0.1:4222";  ///< servers, separated by commas
  std::string credentials;                     ///< path of a NATS credentials file; empty: none
  std::string authority;                       ///< PEM file of who signed the servers' certificates; empty: none
  std::int64_t partitions = 16;                ///< as the servers' mapping says
  std::int64_t replicas = 1;                   ///< of streams and buckets that are made
  std::chrono::hours kept{24};                 ///< inputs and results
  std::chrono::seconds repeats{120};           ///< in which a message id that comes again is dropped
  std::chrono::milliseconds lease{8000};       ///< of silence after which a worker's partitions are taken over
  std::chrono::milliseconds interval{1000};    ///< between commits
  int max_in_flight = 1024;                    ///< messages of a partition taken and not committed
  std::int64_t snapshot_every = 1000;          ///< batches of a stream
  std::int64_t memory = 1'000'000'000;         ///< bytes for streams in memory
  std::string cache;                           ///< folder for states that leave memory; empty: none
  std::int64_t max_entry = 0;                  ///< bytes of a state in one piece; 0: as the servers allow
  std::string metrics;                         ///< ADDRESS:PORT for Prometheus; empty: none
};

/// A scalar, from wherever it was written. Throws Refusal.
void set_cluster(ClusterSettings& settings, const std::string& name, const std::string& text);
/// Throws AppError, naming file and line.
void read_cluster(ClusterSettings& settings, cli::TomlTable& table);

}  // namespace stad::server
