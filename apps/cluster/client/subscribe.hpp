#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <stad/files.hpp>

#include "cluster/layout/names.hpp"
#include "cluster/nats/connection.hpp"
#include "cluster/nats/message.hpp"

namespace stad::cluster {

struct SubscribeSettings {
  std::optional<std::string> model;      ///< none: all
  std::optional<std::string> stream;     ///< none: all
  std::int64_t count = 0;                ///< results to wait for; 0: until the idle timeout
  std::chrono::milliseconds idle{5000};  ///< without a result after which the collection ends
};

struct SubscribeReport {
  std::int64_t results = 0;       ///< answers and errors, each once
  std::int64_t refused = 0;       ///< errors
  std::int64_t repeated = 0;      ///< repetitions, which were dropped
  std::int64_t out_of_order = 0;  ///< results received after a later one of their stream
  std::string first_error;
  CollectedAnswers answers;
};

/// Collects the results of the cluster from the oldest stored one on. Reconnects to lost servers; throws NatsError
/// where they do not return within the idle timeout.
/// @param keep_going called with the number of results; returns false to stop
SubscribeReport subscribe(const NatsConnection& connection, const SubscribeSettings& settings,
                          const std::function<bool(std::int64_t)>& keep_going);

/// A result in STAD_OUT.
struct BatchResult {
  StreamName name;
  std::uint64_t sequence = 0;  ///< of its input
  std::vector<std::int64_t> labels;
  std::vector<float> probabilities;  ///< row-major
  std::string error;                 ///< why there is no answer; empty: there is one
};

/// Throws AppError where the message is not a result of a worker; an unreadable result has an error.
BatchResult read_result(const Delivery& delivery);

}  // namespace stad::cluster
