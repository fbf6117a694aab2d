#pragma once

#include <atomic>
#include <thread>

#include <stad/streams.hpp>

#include "server/service/service.hpp"

namespace stad::server {

/// Sends the demo's stream to its model in a loop, four batches a second, so that the page has data.
class DemoTraffic {
 public:
  DemoTraffic(Service& service, ModelPointer model, FeatureStream stream);
  ~DemoTraffic();

 private:
  void play(Service& service, const ModelPointer& model, const FeatureStream& stream);

  std::atomic<bool> is_ending_{false};
  std::thread thread_;
};

}  // namespace stad::server
