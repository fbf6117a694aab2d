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

/// What a message that is kept must find, or be refused.
struct Expectation {
  /// Sequence of the last message of its subject; 0: there is none. Negative: whatever.
  std::int64_t last_of_subject = -1;
};

/// Where the servers keep a message.
struct Receipt {
  std::uint64_t sequence = 0;
  bool is_repeated = false;  ///< its Nats-Msg-Id was kept before; the sequence is of that one
};

/// Has messages kept by JetStream, many at a time. Used by one thread.
class Outbox {
 public:
  explicit Outbox(const Connection& connection);
  ~Outbox();
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Throws Trouble where it cannot be sent; names the limit where it is too large.
  void send(const Message& message, Expectation expectation = {});
  /// Waits for the receipts of all that was sent since the last time, and returns them in that order. Throws what went
  /// wrong with the first that did; then nothing is known of the others.
  std::vector<Receipt> settle();
  /// Nobody waits for what was sent and not settled.
  void forget();

 private:
  static void acknowledged(jsCtx*, natsMsg* message, jsPubAck* receipt, jsPubAckErr* error, void* closure);

  const Connection& connection_;
  jsCtx* jetstream_ = nullptr;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<natsMsg*, std::size_t> under_way_;  ///< and which of those sent it is
  std::vector<Receipt> receipts_;
  std::string wrong_;  ///< with the first that was refused; empty: nothing
  bool is_conflict_ = false;
  std::size_t unanswered_ = 0;  ///< that the library still holds, though nobody may wait for them any more
};

}  // namespace stad::cluster
