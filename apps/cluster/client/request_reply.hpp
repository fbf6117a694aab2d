#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cluster/client/result_search.hpp"
#include "cluster/names.hpp"
#include "cluster/nats/connection.hpp"
#include "server/serving/forwarder.hpp"

namespace stad::cluster {

/// Answers requests by the workers: each becomes a message of the log, as any that is published, and whoever takes it
/// sends a copy of the result to us.
class RequestReply : public server::Forwarder {
 public:
  /// @param patience how long to wait for an answer. Throws Trouble.
  RequestReply(const NatsSettings& settings, std::chrono::seconds patience);
  ~RequestReply() override;

  void forward(const StreamName& name, std::string body, std::optional<std::size_t> json_length, const std::string& key,
               std::function<void(server::InferOutcome)> done) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    std::function<void(server::InferOutcome)> done;
    Clock::time_point until;
    ResultSearch search;              ///< for the result of a request that was made before; without an input: none
    Clock::time_point next_look{};    ///< for it
    std::chrono::milliseconds pause;  ///< after which to look again, longer each time
  };

  void hear(const Delivery& delivery);
  void hear_receipt(const std::string& ticket, const Delivery& delivery);
  void answer(const std::string& ticket, server::InferOutcome outcome);
  void look_after();
  void give_up(const std::vector<std::string>& late);
  void look_for(const std::string& ticket, ResultSearch search);

  const std::chrono::seconds patience_;
  Connection connection_;
  const std::string inbox_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Waiting> waiting_;  ///< by ticket
  std::atomic<std::uint64_t> tickets_{0};
  bool is_ending_ = false;

  std::unique_ptr<Listening> listening_;
  std::thread thread_;  ///< gives up on what waits too long, and looks for results that were made before
};

}  // namespace stad::cluster
