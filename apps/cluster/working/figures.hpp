#pragma once

#include <atomic>
#include <cstdint>

namespace stad::cluster {

/// What a worker counts, from the threads of all its partitions.
struct Figures {
  std::atomic<std::uint64_t> batches{0};  ///< answered
  std::atomic<std::uint64_t> rows{0};
  std::atomic<std::uint64_t> dead{0};         ///< messages that could not be answered
  std::atomic<std::uint64_t> repeated{0};     ///< that had been taken before
  std::atomic<std::uint64_t> redelivered{0};  ///< that the servers sent again
  std::atomic<std::uint64_t> takeovers{0};    ///< partitions of owners that had fallen silent
  std::atomic<std::uint64_t> fenced{0};       ///< writes refused because the claim was over or another had written
  std::atomic<std::uint64_t> restarts{0};     ///< of partitions, from what was committed
  std::atomic<std::uint64_t> rebuilt{0};      ///< states, from a snapshot and the log
  std::atomic<std::uint64_t> commits{0};
  std::atomic<std::int64_t> resident_streams{0};
  std::atomic<std::int64_t> resident_bytes{0};
  std::atomic<std::int64_t> dirty_bytes{0};  ///< of them, of streams that have taken messages since they were kept
};

}  // namespace stad::cluster
