#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace stad::server {

/// Limits the bytes of request bodies in memory and divides them among callers. A caller may hold at most as many bytes
/// as stay free, so that one caller gets at most half of the limit, each of two a third, and a further caller always
/// finds space. Bytes count when they are received, not when they are announced. Thread-safe.
class BodyBudget {
 public:
  explicit BodyBudget(std::int64_t limit) : limit_(limit) {}

  /// The bytes of one body, returned to the budget on destruction.
  class Share {
   public:
    Share(BodyBudget& budget, std::string caller) : budget_(budget), caller_(std::move(caller)) {}
    ~Share() { budget_.release(caller_, held_); }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// Extends the share to `bytes`; returns false, without a change, where the caller's part is used up.
    bool grow_to(std::int64_t bytes) {
      if (bytes <= held_) return true;
      if (!budget_.acquire(caller_, bytes - held_)) return false;
      held_ = bytes;
      return true;
    }

   private:
    BodyBudget& budget_;
    const std::string caller_;
    std::int64_t held_ = 0;
  };

 private:
  bool acquire(const std::string& caller, std::int64_t bytes) {
    const std::scoped_lock lock(mutex_);
    const auto found = held_.find(caller);
    const std::int64_t held = found == held_.end() ? 0 : found->second;
    if (held + bytes > limit_ - used_ - bytes) return false;
    held_[caller] = held + bytes;
    used_ += bytes;
    return true;
  }

  void release(const std::string& caller, std::int64_t bytes) {
    if (bytes == 0) return;
    const std::scoped_lock lock(mutex_);
    used_ -= bytes;
    const auto found = held_.find(caller);
    if ((found->second -= bytes) == 0) held_.erase(found);
  }

  const std::int64_t limit_;
  std::mutex mutex_;
  std::int64_t used_ = 0;
  std::unordered_map<std::string, std::int64_t> held_;  ///< by caller
};

}  // namespace stad::server
