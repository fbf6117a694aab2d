#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/nats/connection.hpp"

namespace stad::cluster {

/// What a consumer delivers.
struct ConsumerSettings {
  std::string stream;
  std::string name;         ///< empty: an ephemeral consumer
  std::string filter;       ///< subject, with wildcards
  std::uint64_t first = 1;  ///< first sequence
  std::int64_t max_unacknowledged = 1024;
  bool is_acknowledged = true;  ///< false: read-only
};

/// Fetches the messages of a stream in order. A consumer with a name remains on the servers after destruction. Used by
/// one thread.
class PullConsumer {
 public:
  PullConsumer(const NatsConnection& connection, const ConsumerSettings& settings);
  ~PullConsumer();
  PullConsumer(const PullConsumer&) = delete;
  PullConsumer& operator=(const PullConsumer&) = delete;

  /// Up to `max` available messages; waits for one where there is none. Empty: none arrived. Throws NatsError, also
  /// where a message was lost, since the following ones would be out of order.
  std::vector<Delivery> fetch(int max, std::chrono::milliseconds wait);
  /// Messages after the last fetched one.
  std::uint64_t waiting() const { return waiting_; }
  /// Whether all messages were delivered. Queries the servers; throws NatsError.
  bool is_at_end() const;

 private:
  void bind(const ConsumerSettings& settings);
  std::vector<Delivery> request(int max, bool waits, std::chrono::milliseconds wait);

  const NatsConnection& connection_;
  const std::string stream_;
  const bool is_durable_;
  const std::string name_;
  natsSubscription* subscription_ = nullptr;
  std::uint64_t delivered_ = 0;
  std::uint64_t waiting_ = 0;
};

/// Acknowledges a message and those before it. Does not wait; where the acknowledgement is lost, they are delivered
/// again.
void acknowledge(const Delivery& delivery);

/// Removes a consumer if it exists.
void remove_consumer(const NatsConnection& connection, const std::string& stream, const std::string& name);

/// Progress of a consumer.
struct ConsumerProgress {
  std::uint64_t waiting = 0;         ///< not delivered
  std::uint64_t unacknowledged = 0;  ///< delivered, not acknowledged
};
/// None where the consumer does not exist.
std::optional<ConsumerProgress> progress_of(const NatsConnection& connection, const std::string& stream,
                                            const std::string& name);

}  // namespace stad::cluster
