#pragma once

#include <memory>
#include <string>

#include "cluster/worker/worker.hpp"

namespace stad::cluster {

/// Serves the counters of a worker for Prometheus at http://ADDRESS/metrics.
class MetricsEndpoint {
 public:
  /// Throws AppError where it cannot listen. @param address ADDRESS:PORT
  MetricsEndpoint(const std::string& address, const Worker& worker);
  ~MetricsEndpoint();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stad::cluster
