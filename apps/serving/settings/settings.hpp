#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serving/log.hpp"
#include "serving/protocol/infer_request.hpp"
#include "serving/settings/model_settings.hpp"

namespace stad::serving {

/// When adapted states are on disk.
enum class Durability {
  kBatch,     ///< before the answer to the batch is sent
  kInterval,  ///< after at most an interval
  kNone,      ///< when the stream leaves memory or the service ends
};

std::string_view name_of(Durability durability);
/// Throws AppError for an unknown name.
Durability durability_of(std::string_view name);

struct CheckpointSettings {
  Durability durability = Durability::kInterval;
  std::chrono::milliseconds interval{1000};
  std::int64_t memory = 1'000'000'000;  ///< bytes for streams
  std::size_t kept_answers = 16;        ///< of each stream
};

struct ServiceSettings {
  CheckpointSettings checkpoints;
  std::int64_t kept_snapshots = 16;    ///< of each stream
  int threads = 2;                     ///< of the task pool
  std::int64_t min_free = 64'000'000;  ///< bytes on the disk below which the service is not ready
  std::size_t streams_per_token = 0;   ///< that a caller may use; 0: unlimited
};

struct RouteSettings {
  TensorLimits tensors;
  std::string data;  ///< folder of the database and of backups; empty: in memory
};

struct GrpcAddress {
  std::string address;
  unsigned short port = 0;  ///< 0: any free port
};

/// Of connections: gRPC shares the certificate and the limits.
struct HttpSettings {
  std::string address = "127.0.0.1";
  unsigned short port = 8080;       ///< 0: any free port
  std::optional<GrpcAddress> grpc;  ///< none: no gRPC
  int threads = 2;
  std::string certificate;  ///< PEM; empty: no TLS
  std::string key;
  std::vector<std::string> origins;  ///< allowed for cross-origin requests
  std::size_t max_header = 16 << 10;
  std::size_t max_body = 64 << 20;
  std::int64_t max_in_flight = 1024;
  std::int64_t max_connections = 10'000;
  std::chrono::seconds idle_timeout{60};     ///< until the first byte of a request
  std::chrono::seconds request_timeout{30};  ///< to receive a request, and to send an answer
  std::chrono::milliseconds drain{1000};     ///< between the fall of readiness and the end of new connections
};

/// The table [cluster]: addresses of the NATS servers and how workers share the streams (docs/cluster.md).
struct ClusterSettings {
  std::string nats = "nats://127.0.0.1:4222";  ///< servers, separated by commas
  std::string credentials;                     ///< path of a NATS credentials file; empty: none
  std::string authority;                       ///< PEM file of the CA of the servers' certificates; empty: none
  std::int64_t partitions = 16;                ///< must equal the servers' subject mapping
  std::int64_t replicas = 1;                   ///< of streams and buckets that are created
  std::chrono::hours kept{24};                 ///< retention of inputs and results
  std::chrono::seconds repeats{120};           ///< window in which repeated message ids are dropped
  std::chrono::milliseconds lease{8000};       ///< without a renewal after which a worker's partitions are taken over
  std::chrono::milliseconds interval{1000};    ///< between commits
  int max_in_flight = 1024;                    ///< messages of a partition fetched and not committed
  std::int64_t snapshot_every = 1000;          ///< batches of a stream
  std::int64_t memory = 1'000'000'000;         ///< bytes for streams in memory
  std::string cache;                           ///< folder for states evicted from memory; empty: none
  std::int64_t max_entry = 0;                  ///< bytes of a state in one message; 0: the servers' limit
  std::string metrics;                         ///< ADDRESS:PORT for Prometheus; empty: none
};

/// The configuration file, which the service and the workers of a cluster share.
struct Settings {
  HttpSettings http;
  RouteSettings routes;
  ServiceSettings service;
  std::string tokens;  ///< path of the file; empty: none
  LogLevel log = LogLevel::kInfo;
  std::vector<ConfiguredModel> models;
  bool demo_traffic = false;  ///< send a simulated stream to the first model
  ClusterSettings cluster;
};

/// Values from the command line or the environment, which take precedence over the file.
struct WrittenSettings {
  std::string config;  ///< path of the file; empty: none
  std::optional<std::string> listen, grpc, data, tokens, certificate, key, durability, interval, memory, max_body,
      max_streams, max_in_flight, threads, log;
  std::vector<std::pair<std::string, std::string>> cluster;  ///< settings of [cluster] by name
};

/// Throws AppError that names the file and line, the value and the rule.
Settings read_settings(const WrittenSettings& written);

}  // namespace stad::serving
