#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "serving/protocol/infer_response.hpp"
#include "serving/store/records.hpp"

namespace stad::serving {

/// A request for a stream that another process holds.
struct ForwardedRequest {
  StreamName name;
  std::string body;                        ///< the validated request as the client sent it
  std::optional<std::size_t> json_length;  ///< where tensors begin; none: all JSON
  std::string key;                         ///< identifies repetitions of the request; empty: none
  bool is_labels = false;                  ///< labels of earlier rows instead of a batch
};

/// Sends requests to other processes that hold the streams: the workers of a cluster.
class Forwarder {
 public:
  virtual ~Forwarder() = default;

  /// Why requests cannot be answered at present; empty: they can. Does not block.
  virtual std::string obstacle() const = 0;

  /// Calls `done` once, now or later, from any thread. Callable from any thread; does not block.
  virtual void forward(ForwardedRequest request, std::function<void(InferOutcome)> done) = 0;
};

}  // namespace stad::serving
