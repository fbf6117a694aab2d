#include "cluster/owning/lease.hpp"

#include <ctime>

#include <fmt/format.h>

namespace stad::cluster {

Lease::Nanoseconds Lease::boot_time() {
  timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec * Nanoseconds{1'000'000'000} + time.tv_nsec;
}

void Lease::renew(const std::function<void()>& tell) {
  const Nanoseconds start = now_();
  tell();
  // A renewal that came through too late may have been seen after another worker took what we held.
  if (now_() >= until_) ++term_;
  until_ = start + std::chrono::nanoseconds(duration_).count();
}

bool Lease::holds(std::uint64_t term) const { return term == term_ && now_() < until_; }

void Claim::check() const {
  if (!holds()) throw Lapsed(fmt::format("the claim to partition {} is over", partition_));
}

}  // namespace stad::cluster
