#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "cluster/nats/pull_consumer.hpp"
#include "cluster/owning/lease.hpp"
#include "cluster/working/answering.hpp"
#include "cluster/working/workplace.hpp"

namespace stad::cluster {

/// One partition at work, on a thread of its own: takes messages in their order, answers them, and commits what was
/// learned together with how far it is. Whatever goes wrong, it begins again from what was committed; it ends when it
/// is told to or when its claim is over.
class Partition {
 public:
  /// @param position all messages up to this sequence are done
  /// @param former consumer of the owner before, to be removed; empty: there is none
  Partition(const Workplace& workplace, const Claim& claim, std::uint64_t position, std::string former);
  ~Partition();
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  const Claim& claim() const { return claim_; }
  /// Asks it to commit and end; it commits nothing where its claim is over.
  void end() { is_ending_ = true; }
  bool has_ended() const { return has_ended_; }
  /// All messages up to this sequence are committed.
  std::uint64_t position() const { return position_; }
  std::uint64_t waiting() const { return waiting_; }

 private:
  void work();
  void begin();
  void step();
  void take(Delivery delivery);
  void check_quiet();
  std::string stalled() const;
  bool commit_is_due() const;
  void commit();
  void drop();
  void rest_after(const char* what, const std::string& reason, std::atomic<std::uint64_t>& count);

  const Workplace place_;
  const Claim claim_;
  const std::string consumer_name_;
  std::string stale_;  ///< consumer to be removed before ours is made
  Answering answering_;
  std::unique_ptr<PullConsumer> consumer_;
  int taken_ = 0;                     ///< messages that are not committed
  std::unique_ptr<Delivery> newest_;  ///< of them
  std::uint64_t taken_position_ = 0;
  std::chrono::steady_clock::time_point committed_;
  std::chrono::steady_clock::time_point quiet_until_;  ///< when we ask why no message comes
  bool is_doubted_ = false;                            ///< the consumer seemed stalled when we last asked

  std::atomic<bool> is_ending_{false};
  std::atomic<bool> has_ended_{false};
  std::atomic<std::uint64_t> position_;
  std::atomic<std::uint64_t> waiting_{0};
  std::thread thread_;
};

}  // namespace stad::cluster
