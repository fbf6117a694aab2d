#include "cluster/nats/message.hpp"

#include <algorithm>
#include <charconv>

#include "cluster/nats/trouble.hpp"

namespace stad::cluster {

std::size_t header_bytes(const Message& message) {
  if (message.headers.empty()) return 0;
  std::size_t bytes = std::string_view("NATS/1.0\r\n\r\n").size();
  for (const auto& [name, value] : message.headers)
    bytes += name.size() + value.size() + std::string_view(": \r\n").size();
  return bytes;
}

MessagePointer wire_message(const Message& message, const std::string& reply) {
  natsMsg* made = nullptr;
  must(natsMsg_Create(&made, message.subject.c_str(), reply.empty() ? nullptr : reply.c_str(), message.payload.data(),
                      static_cast<int>(message.payload.size())),
       "a message for " + message.subject);
  MessagePointer owned(made);
  for (const auto& [name, value] : message.headers) {
    std::string line = value;
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
    must(natsMsgHeader_Set(made, name.c_str(), line.c_str()), "header " + name);
  }
  return owned;
}

Delivery::Delivery(MessagePointer message) : message_(std::move(message)) {
  jsMsgMetaData* meta = nullptr;
  if (natsMsg_GetReply(message_.get()) == nullptr || natsMsg_GetMetaData(&meta, message_.get()) != NATS_OK) {
    sequence = natsMsg_GetSequence(message_.get());  // one that was asked for by name
    return;
  }
  sequence = meta->Sequence.Stream;
  delivery = meta->Sequence.Consumer;
  waiting = meta->NumPending;
  times_delivered = meta->NumDelivered;
  jsMsgMetaData_Destroy(meta);
}

std::optional<std::string> Delivery::header(const char* name) const {
  const char* value = nullptr;
  if (natsMsgHeader_Get(message_.get(), name, &value) != NATS_OK || value == nullptr) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> Delivery::number(const char* name) const {
  const auto text = header(name);
  if (!text) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return value;
}

}  // namespace stad::cluster
