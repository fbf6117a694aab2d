#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace stad::server {

/// How many streams each caller may use. Counted since the start of the program, by hash: a collision in 2^64 costs
/// nobody anything.
class StreamQuota {
 public:
  /// @param streams 0: as many as one likes
  explicit StreamQuota(std::size_t streams) : most_(streams) {}

  /// Whether the caller may use this stream; from now on it counts.
  bool admit(const std::string& caller, std::string_view model, std::string_view stream) {
    if (most_ == 0) return true;
    const std::size_t hash = std::hash<std::string_view>()(model) * 31 + std::hash<std::string_view>()(stream);
    const std::scoped_lock lock(mutex_);
    auto& used = used_[caller];
    if (used.size() >= most_) return used.contains(hash);
    used.insert(hash);
    return true;
  }

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::unordered_set<std::size_t>> used_;
};

}  // namespace stad::server
