#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nats/nats.h>

namespace stad::cluster {

/// The servers could not be reached, did not answer in time, or returned an error. The outcome of the operation is
/// unknown: callers restart from what is known to be stored. An exception of this program, converted to AppError where
/// it leaves the cluster modules.
struct NatsError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The servers did not answer in time; the operation may still complete.
struct NatsTimeout : NatsError {
  using NatsError::NatsError;
};

/// The entry was changed since it was read: there is another writer.
struct WriteConflict : NatsError {
  using NatsError::NatsError;
};

/// Throws NatsError or one of its kinds, "OPERATION: reason", unless the status is ok.
void check_nats(natsStatus status, const std::string& operation, jsErrCode code = static_cast<jsErrCode>(0));

/// A message to send.
struct NatsMessage {
  std::string subject;
  std::string payload;
  std::vector<std::pair<std::string, std::string>> headers;

  void set(std::string name, std::string value) { headers.emplace_back(std::move(name), std::move(value)); }
  void set(std::string name, std::uint64_t value) { set(std::move(name), std::to_string(value)); }
};

struct DestroyMessage {
  void operator()(natsMsg* message) const { natsMsg_Destroy(message); }
};
using MessagePointer = std::unique_ptr<natsMsg, DestroyMessage>;

/// Size of the headers on the wire.
std::size_t header_bytes(const NatsMessage& message);

/// The message of libnats; control characters in headers are replaced by spaces. Throws NatsError.
MessagePointer wire_message(const NatsMessage& message, const std::string& reply = "");

/// A received message.
class Delivery {
 public:
  explicit Delivery(MessagePointer message);

  std::string_view subject() const { return natsMsg_GetSubject(message_.get()); }
  std::string_view payload() const {
    return {natsMsg_GetData(message_.get()), static_cast<std::size_t>(natsMsg_GetDataLength(message_.get()))};
  }
  std::optional<std::string> header(const char* name) const;
  /// The value of a header that is an unsigned integer; none where it is missing or something else.
  std::optional<std::uint64_t> number(const char* name) const;
  /// Whether it is the servers' answer to a message on a subject without subscribers.
  bool has_no_responders() const { return natsMsg_IsNoResponders(message_.get()); }
  natsMsg* get() const { return message_.get(); }

  // Metadata of JetStream.
  std::uint64_t sequence = 0;  ///< in its stream
  std::uint64_t delivery = 0;  ///< number of messages its consumer had delivered, with this one
  std::uint64_t waiting = 0;   ///< messages that the consumer has not delivered yet
  std::uint64_t times_delivered = 0;

 private:
  MessagePointer message_;
};

}  // namespace stad::cluster
