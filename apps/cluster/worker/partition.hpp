#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "cluster/nats/pull_consumer.hpp"
#include "cluster/ownership/lease.hpp"
#include "cluster/worker/message_processor.hpp"
#include "cluster/worker/worker_context.hpp"

namespace stad::cluster {

/// Processes the messages of one partition in order, on a thread of its own, and commits states together with the
/// position. After any error it restarts from what was committed; it ends on request or when its claim expires.
class Partition {
 public:
  /// @param position all messages up to this sequence are committed
  /// @param former consumer of the previous owner, to be removed; empty: none
  Partition(const WorkerContext& context, const Claim& claim, std::uint64_t position, std::string former);
  ~Partition();
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  const Claim& claim() const { return claim_; }
  /// Requests a last commit and the end; without a valid claim nothing is committed.
  void end() { is_ending_ = true; }
  bool has_ended() const { return has_ended_; }
  /// All messages up to this sequence are committed.
  std::uint64_t position() const { return position_; }
  std::uint64_t waiting() const { return waiting_; }

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void open_consumer();
  void step();
  void process(Delivery delivery);
  void check_stalled();
  std::string stall_reason() const;
  bool commit_is_due() const;
  void commit();
  void reset();
  void back_off(const char* event, const std::string& reason, std::atomic<std::uint64_t>& count);

  const WorkerContext context_;
  const Claim claim_;
  const std::string consumer_name_;
  std::string stale_consumer_;  ///< to be removed before the consumer is created
  MessageProcessor processor_;
  std::unique_ptr<PullConsumer> consumer_;
  int uncommitted_ = 0;               ///< messages
  std::unique_ptr<Delivery> newest_;  ///< of the uncommitted messages
  std::uint64_t processed_position_ = 0;
  Clock::time_point committed_;
  Clock::time_point next_stall_check_;
  bool may_be_stalled_ = false;  ///< result of the last check

  std::atomic<bool> is_ending_{false};
  std::atomic<bool> has_ended_{false};
  std::atomic<std::uint64_t> position_;
  std::atomic<std::uint64_t> waiting_{0};
  std::thread thread_;
};

}  // namespace stad::cluster
