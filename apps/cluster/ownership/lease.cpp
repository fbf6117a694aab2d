#include "cluster/ownership/lease.hpp"

#include <ctime>

#include <fmt/format.h>

namespace stad::cluster {

Lease::Nanoseconds Lease::boot_time() {
  timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec * Nanoseconds{1'000'000'000} + time.tv_nsec;
}

void Lease::renew(const std::function<void()>& announce) {
  const Nanoseconds start = now_();
  announce();
  // A late renewal may have arrived after another worker took the partitions over.
  if (now_() >= until_) ++term_;
  until_ = start + std::chrono::nanoseconds(duration_).count();
}

bool Lease::holds(std::uint64_t term) const { return term == term_ && now_() < until_; }

void Claim::check() const {
  if (!holds()) throw ClaimExpired(fmt::format("the claim to partition {} has expired", partition_));
}

}  // namespace stad::cluster
