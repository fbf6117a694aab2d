#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "serving/protocol/infer_response.hpp"
#include "serving/store/records.hpp"

namespace stad::serving {

/// Sends requests to other processes that hold the streams: the workers of a cluster.
class Forwarder {
 public:
  virtual ~Forwarder() = default;

  /// Calls `done` once, now or later, from any thread. Callable from any thread; does not block.
  /// @param body the validated request as the client sent it
  /// @param key identifies repetitions of the request; empty: none
  virtual void forward(const StreamName& name, std::string body, std::optional<std::size_t> json_length,
                       const std::string& key, std::function<void(InferOutcome)> done) = 0;
};

}  // namespace stad::serving
