#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/nats/connection.hpp"

namespace stad::cluster {

/// From where and what a consumer delivers.
struct ConsumerSettings {
  std::string stream;
  std::string name;         ///< empty: one that goes with its reader
  std::string filter;       ///< subject, with wildcards
  std::uint64_t first = 1;  ///< sequence to begin with
  std::int64_t max_unacknowledged = 1024;
  bool is_acknowledged = true;  ///< false: for reading alone
};

/// Takes the messages of a stream in their order, as many as one asks for. Created on the servers by us and bound, so
/// that one with a name stays when we go. Used by one thread.
class PullConsumer {
 public:
  PullConsumer(const Connection& connection, const ConsumerSettings& settings);
  ~PullConsumer();
  PullConsumer(const PullConsumer&) = delete;
  PullConsumer& operator=(const PullConsumer&) = delete;

  /// What is there, up to `most`; where nothing is, waits for one. Empty: nothing came. Throws Trouble, also where a
  /// message was lost on the way: those that come next would be out of order.
  std::vector<Delivery> fetch(int most, std::chrono::milliseconds wait);
  /// Of those behind what was fetched last.
  std::uint64_t waiting() const { return waiting_; }
  /// Whether the servers have nothing that was not delivered. Asks them; throws Trouble.
  bool is_at_end() const;

 private:
  void bind(const ConsumerSettings& settings);
  std::vector<Delivery> request(int most, bool waits, std::chrono::milliseconds wait);

  const Connection& connection_;
  const std::string stream_;
  const bool is_lasting_;
  const std::string name_;
  natsSubscription* subscription_ = nullptr;
  std::uint64_t delivered_ = 0;
  std::uint64_t waiting_ = 0;
};

/// Tells the servers that a message and those before it need not be delivered again. Does not wait; if it is lost they
/// come back later.
void acknowledge(const Delivery& delivery);

/// Removes a consumer if it is there.
void remove_consumer(const Connection& connection, const std::string& stream, const std::string& name);

/// How far a consumer is; none where there is no such.
struct ConsumerProgress {
  std::uint64_t waiting = 0;         ///< not delivered
  std::uint64_t unacknowledged = 0;  ///< delivered, not done
};
std::optional<ConsumerProgress> progress_of(const Connection& connection, const std::string& stream,
                                            const std::string& name);

}  // namespace stad::cluster
