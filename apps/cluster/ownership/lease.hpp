#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "cluster/nats/message.hpp"

namespace stad::cluster {

/// The claim to a partition has expired: another worker may own it.
struct ClaimExpired : NatsError {
  using NatsError::NatsError;
};

/// The time this worker may write without a renewal. It ends earlier here than for others, since they count from the
/// arrival of a renewal and this worker from its sending. Time in which the process or machine is suspended counts.
class Lease {
 public:
  using Nanoseconds = std::int64_t;
  using Now = std::function<Nanoseconds()>;

  /// @param now a clock that may be read from any thread
  explicit Lease(std::chrono::milliseconds duration, Now now = boot_time) : duration_(duration), now_(std::move(now)) {}

  /// CLOCK_BOOTTIME, which includes suspended time.
  static Nanoseconds boot_time();

  /// Calls `announce`, which must write the renewal. Where it returns after the lease has ended, a new term begins and
  /// claims of the previous one are lost. Called from one thread.
  void renew(const std::function<void()>& announce);

  /// Number of the current term; 0: none has begun.
  std::uint64_t term() const { return term_; }
  /// Whether the term is current and has not ended. Thread-safe.
  bool holds(std::uint64_t term) const;

 private:
  const std::chrono::milliseconds duration_;
  const Now now_;
  std::atomic<std::uint64_t> term_{0};
  std::atomic<Nanoseconds> until_{0};
};

/// Ownership of a partition during a term of the lease. Copies share the loss.
class Claim {
 public:
  Claim(const Lease& lease, std::int64_t partition, std::uint64_t epoch)
      : lease_(&lease), term_(lease.term()), partition_(partition), epoch_(epoch) {}

  std::int64_t partition() const { return partition_; }
  /// Increases with every change of the owner: larger than all revisions of the ownership bucket known when the
  /// partition was claimed, and so than the epoch of every earlier owner.
  std::uint64_t epoch() const { return epoch_; }
  bool holds() const { return !*is_lost_ && lease_->holds(term_); }
  /// Invalidates the claim and its copies, where another worker owns the partition in spite of the lease. Thread-safe.
  void mark_lost() const { *is_lost_ = true; }
  bool is_lost() const { return *is_lost_; }
  /// Must be called before every write. Throws ClaimExpired.
  void check() const;

 private:
  const Lease* lease_;
  std::uint64_t term_;
  std::int64_t partition_;
  std::uint64_t epoch_;
  std::shared_ptr<std::atomic<bool>> is_lost_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace stad::cluster
