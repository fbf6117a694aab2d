#pragma once

#include <atomic>
#include <thread>

#include <stad/streams.hpp>

#include "server/serving/service.hpp"

namespace stad::server {

/// Plays the demo's stream to its model, a few batches a second, over and over, so that the page has something to show.
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
