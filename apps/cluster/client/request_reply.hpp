#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cluster/client/worker_watch.hpp"
#include "cluster/layout/names.hpp"
#include "cluster/nats/connection.hpp"
#include "serving/forwarder.hpp"

namespace stad::cluster {

/// Searches the log of results for the result of an input.
struct ResultSearch {
  StreamName name;
  std::uint64_t input = 0;  ///< sequence of the input
  std::uint64_t first = 1;  ///< first sequence in STAD_OUT that was not searched yet

  /// The result; none: it is not stored, or a long log was not searched to its end. The next call continues there.
  /// Throws NatsError.
  std::optional<Delivery> find(const NatsConnection& connection);

 private:
  std::optional<Delivery> scan(const NatsConnection& connection);
};

/// Forwards requests to the workers: publishes each as an input with an inbox, to which the worker sends a copy of the
/// result.
class RequestReply : public serving::Forwarder {
 public:
  /// Throws NatsError.
  /// @param timeout for an answer
  /// @param lease of the workers
  RequestReply(const NatsSettings& settings, std::chrono::seconds timeout, std::chrono::milliseconds lease);
  ~RequestReply() override;

  std::string obstacle() const override;
  void forward(serving::ForwardedRequest request, std::function<void(serving::InferOutcome)> done) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct PendingRequest {
    std::function<void(serving::InferOutcome)> done;
    Clock::time_point until;
    bool is_stored = false;           ///< the servers have acknowledged the request
    ResultSearch search;              ///< for the result of a repeated request; input 0: not repeated
    Clock::time_point next_search{};  ///< earliest time
    std::chrono::milliseconds pause;  ///< between searches, doubled each time
  };

  void on_message(const Delivery& delivery);
  void on_receipt(const std::string& ticket, const Delivery& delivery);
  void answer(const std::string& ticket, serving::InferOutcome outcome);
  void run();
  struct LateRequest {
    std::string ticket;
    bool is_stored;
  };
  void time_out(const std::vector<LateRequest>& late);
  void search_result(const std::string& ticket, ResultSearch search);

  const std::chrono::seconds timeout_;
  NatsConnection connection_;
  const std::string inbox_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, PendingRequest> pending_;  ///< by ticket
  std::atomic<std::uint64_t> tickets_{0};
  bool is_ending_ = false;

  std::unique_ptr<Subscription> subscription_;
  WorkerWatch workers_;
  std::thread thread_;  ///< times requests out and searches the results of repeated ones
};

}  // namespace stad::cluster
