#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include <stad/files.hpp>

#include "cluster/nats/connection.hpp"

namespace stad::cluster {

struct SubscribeSettings {
  std::optional<std::string> model;      ///< none: all
  std::optional<std::string> stream;     ///< none: all
  std::int64_t count = 0;                ///< results to wait for; 0: until nothing comes
  std::chrono::milliseconds idle{5000};  ///< without a result, after which it ends
};

struct SubscribeReport {
  std::int64_t results = 0;  ///< answers and refusals, each once
  std::int64_t refused = 0;
  std::int64_t repeated = 0;      ///< that had come before, and were dropped
  std::int64_t out_of_order = 0;  ///< that came after a later one of their stream
  std::string first_refusal;
  CollectedAnswers answers;
};

/// Collects what the cluster has answered, from the oldest result it keeps on. Goes on through lost servers; throws
/// Trouble where they stay lost.
/// @param keep_going asked with the number of results so far; false ends it
SubscribeReport subscribe(const Connection& connection, const SubscribeSettings& settings,
                          const std::function<bool(std::int64_t)>& keep_going);

}  // namespace stad::cluster
