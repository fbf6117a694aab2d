#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nats/nats.h>

namespace stad::cluster {

/// A message to be sent.
struct Message {
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

/// What the headers take on the wire.
std::size_t header_bytes(const Message& message);

/// What the wire carries of it; control characters of a header become spaces. Throws Trouble.
MessagePointer wire_message(const Message& message, const std::string& reply = "");

/// A message that came.
class Delivery {
 public:
  explicit Delivery(MessagePointer message);

  std::string_view subject() const { return natsMsg_GetSubject(message_.get()); }
  std::string_view payload() const {
    return {natsMsg_GetData(message_.get()), static_cast<std::size_t>(natsMsg_GetDataLength(message_.get()))};
  }
  std::optional<std::string> header(const char* name) const;
  /// Of a header that must be a count; none where there is no such header or it is something else.
  std::optional<std::uint64_t> number(const char* name) const;
  /// Whether it stands for the answer of a subject that nobody listens to.
  bool says_nobody_listens() const { return natsMsg_IsNoResponders(message_.get()); }
  natsMsg* get() const { return message_.get(); }

  // Of a message that JetStream keeps.
  std::uint64_t sequence = 0;  ///< in its stream
  std::uint64_t delivery = 0;  ///< how many messages its consumer had delivered with it
  std::uint64_t waiting = 0;   ///< messages behind it
  std::uint64_t times_delivered = 0;

 private:
  MessagePointer message_;
};

}  // namespace stad::cluster
