#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "cluster/nats/trouble.hpp"

namespace stad::cluster {

/// The right to write is over: another worker may have it by now.
struct Lapsed : Trouble {
  using Trouble::Trouble;
};

/// How long this worker may write without having been heard of. It ends a little before others may think so: they begin
/// to count when they see a renewal, we when we send it. Time goes on while the process or the machine is stopped.
class Lease {
 public:
  using Nanoseconds = std::int64_t;
  using Now = std::function<Nanoseconds()>;

  /// @param now a clock, to be asked from any thread
  explicit Lease(std::chrono::milliseconds duration, Now now = boot_time) : duration_(duration), now_(std::move(now)) {}

  /// Of the clock that goes on while a machine sleeps.
  static Nanoseconds boot_time();

  /// Runs `tell`, which must have others hear of us, from one thread. Where it is over only after the lease had ended,
  /// a new term begins: what was held in the one before is lost.
  void renew(const std::function<void()>& tell);

  /// Which term it is; 0: none has begun.
  std::uint64_t term() const { return term_; }
  /// Any thread.
  bool holds(std::uint64_t term) const;

 private:
  const std::chrono::milliseconds duration_;
  const Now now_;
  std::atomic<std::uint64_t> term_{0};
  std::atomic<Nanoseconds> until_{0};
};

/// A partition that is ours for as long as the term lasts.
class Claim {
 public:
  Claim(const Lease& lease, std::int64_t partition, std::uint64_t epoch)
      : lease_(&lease), term_(lease.term()), partition_(partition), epoch_(epoch) {}

  std::int64_t partition() const { return partition_; }
  /// Grows with every change of the owner: larger than all revisions of ownership that were known when it was claimed,
  /// and so than the epoch of any owner before, of this partition or of one that its streams came from.
  std::uint64_t epoch() const { return epoch_; }
  bool holds() const { return !*is_lost_ && lease_->holds(term_); }
  /// Another owns it in spite of the lease: it holds no more, nor do its copies. Any thread.
  void lose() const { *is_lost_ = true; }
  bool is_lost() const { return *is_lost_; }
  /// Before every write. Throws Lapsed.
  void check() const;

 private:
  const Lease* lease_;
  std::uint64_t term_;
  std::int64_t partition_;
  std::uint64_t epoch_;
  std::shared_ptr<std::atomic<bool>> is_lost_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace stad::cluster
