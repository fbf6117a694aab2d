#pragma once

#include <functional>
#include <optional>
#include <string>

#include "server/serving/errand_queue.hpp"
#include "server/store/store.hpp"

namespace stad::server {

/// Where requests go whose streams others look after: the workers of a cluster.
class Forwarder {
 public:
  virtual ~Forwarder() = default;

  /// Any thread; must not block. Calls `done` once, now or later, from any thread.
  /// @param body as the client sent it, and found good
  /// @param key by which a request that is repeated is known; empty: it has none
  virtual void forward(const StreamName& name, std::string body, std::optional<std::size_t> json_length,
                       const std::string& key, std::function<void(InferOutcome)> done) = 0;
};

}  // namespace stad::server
