#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "cluster/nats/connection.hpp"

namespace stad::cluster {

/// The condition under which JetStream stores a message.
struct Expectation {
  /// Required sequence of the last message of its subject; 0: there is none. Negative: no condition.
  std::int64_t last_of_subject = -1;
};

/// Acknowledgement of a stored message.
struct Receipt {
  std::uint64_t sequence = 0;
  bool is_repeated = false;  ///< a message with its Nats-Msg-Id was stored before; the sequence is of that one
};

/// Publishes messages to JetStream with many in flight. Used by one thread.
class AsyncPublisher {
 public:
  explicit AsyncPublisher(const NatsConnection& connection);
  ~AsyncPublisher();
  AsyncPublisher(const AsyncPublisher&) = delete;
  AsyncPublisher& operator=(const AsyncPublisher&) = delete;

  /// Throws NatsError where the message cannot be sent; names the limit where it is too large.
  void send(const NatsMessage& message, Expectation expectation = {});
  /// Waits for the acknowledgements of all messages sent since the last call and returns them in order. Throws the
  /// first failure; the outcome of the other messages is unknown then.
  std::vector<Receipt> flush();
  /// Drops the acknowledgements of messages that were not flushed.
  void discard();

 private:
  static void acknowledged(jsCtx*, natsMsg* message, jsPubAck* receipt, jsPubAckErr* error, void* closure);

  const NatsConnection& connection_;
  jsCtx* jetstream_ = nullptr;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<natsMsg*, std::size_t> in_flight_;  ///< index in receipts_
  std::vector<Receipt> receipts_;
  std::string failure_;  ///< reason of the first failure; empty: none
  bool is_conflict_ = false;
  std::size_t unanswered_ = 0;  ///< messages held by libnats, discarded ones included
};

}  // namespace stad::cluster
