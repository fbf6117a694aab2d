#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/http/server.hpp"
#include "server/serving/service.hpp"
#include "server/settings/cluster_settings.hpp"
#include "server/telemetry/log.hpp"

namespace stad::server {

/// A model as the configuration names it.
struct ConfiguredModel {
  ModelSpecification specification;
  std::string source;   ///< path of its head; empty: the head of the demo, or the network's own
  std::string network;  ///< path of a TorchScript file; empty: requests bring features
  ImageShape image;     ///< that the network takes
  std::string place;    ///< where it is written, for what is wrong with it; empty: the demo
};

/// Everything `stad serve` can be told.
struct Settings {
  HttpSettings http;
  RouteSettings routes;
  ServiceSettings service;
  std::string tokens;  ///< path of the file; empty: none
  LogLevel log = LogLevel::kInfo;
  std::vector<ConfiguredModel> models;
  bool demo_traffic = false;  ///< play a drifting stream to the first model
  ClusterSettings cluster;
};

/// Scalars as they are written on the command line or in the environment; what is given wins over the file.
struct WrittenSettings {
  std::string config;  ///< path; empty: none
  std::optional<std::string> listen, data, tokens, certificate, key, durability, interval, memory, max_body,
      max_streams, max_in_flight, threads, log;
  std::vector<std::pair<std::string, std::string>> cluster;  ///< settings of [cluster] by name
};

/// Throws Refusal or AppError, naming the file and line, the value and the rule.
Settings read_settings(const WrittenSettings& written);

}  // namespace stad::server
