#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "server/http/body_budget.hpp"

namespace stad::server {

/// Adds to a count for its lifetime.
class ScopedCount {
 public:
  explicit ScopedCount(std::atomic<std::int64_t>& count, std::int64_t amount = 1)
      : count_(count), amount_(amount), value_(count += amount) {}
  ~ScopedCount() { count_ -= amount_; }
  ScopedCount(const ScopedCount&) = delete;
  ScopedCount& operator=(const ScopedCount&) = delete;
  std::int64_t value() const { return value_; }

 private:
  std::atomic<std::int64_t>& count_;
  std::int64_t amount_;
  std::int64_t value_;
};

inline constexpr std::int64_t kParallelBodies = 16;  // of the largest size, in memory

/// Limits that hold for the requests of all transports together. Thread-safe.
struct RequestLimits {
  explicit RequestLimits(std::size_t max_body) : bodies(kParallelBodies * static_cast<std::int64_t>(max_body)) {}

  std::atomic<std::int64_t> http_in_flight{0};
  std::atomic<std::int64_t> grpc_in_flight{0};
  BodyBudget bodies;  ///< being read or answered
};

}  // namespace stad::server
