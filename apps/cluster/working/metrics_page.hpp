#pragma once

#include <memory>
#include <string>

#include "cluster/working/worker.hpp"

namespace stad::cluster {

/// What a worker counts, for Prometheus, at http://ADDRESS/metrics while it lives.
class MetricsPage {
 public:
  /// @param address ADDRESS:PORT. Throws Refusal where it cannot be listened to.
  MetricsPage(const std::string& address, const Worker& worker);
  ~MetricsPage();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stad::cluster
