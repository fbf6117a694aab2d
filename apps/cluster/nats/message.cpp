#include "cluster/nats/message.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace stad::cluster {
namespace {

/// The last error message of libnats on this thread, without the prefix with its source position.
std::string_view last_error() {
  const char* text = nats_GetLastError(nullptr);
  const std::string_view whole = text == nullptr ? "" : text;
  const auto prefix = whole.find("): ");
  return prefix == std::string_view::npos ? whole : whole.substr(prefix + 3);
}

}  // namespace

std::size_t header_bytes(const NatsMessage& message) {
  if (message.headers.empty()) return 0;
  std::size_t bytes = std::string_view("NATS/1.0\r\n\r\n").size();
  for (const auto& [name, value] : message.headers)
    bytes += name.size() + value.size() + std::string_view(": \r\n").size();
  return bytes;
}

MessagePointer wire_message(const NatsMessage& message, const std::string& reply) {
  natsMsg* made = nullptr;
  check_nats(natsMsg_Create(&made, message.subject.c_str(), reply.empty() ? nullptr : reply.c_str(),
                            message.payload.data(), static_cast<int>(message.payload.size())),
             "a message for " + message.subject);
  MessagePointer owned(made);
  for (const auto& [name, value] : message.headers) {
    std::string line = value;
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
    check_nats(natsMsgHeader_Set(made, name.c_str(), line.c_str()), "header " + name);
  }
  return owned;
}

Delivery::Delivery(MessagePointer message) : message_(std::move(message)) {
  jsMsgMetaData* meta = nullptr;
  if (natsMsg_GetReply(message_.get()) == nullptr || natsMsg_GetMetaData(&meta, message_.get()) != NATS_OK) {
    sequence = natsMsg_GetSequence(message_.get());  // read by js_GetLastMsg()
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

void check_nats(natsStatus status, const std::string& operation, jsErrCode code) {
  if (status == NATS_OK) return;
  const std::string_view kind = natsStatus_GetText(status);
  const std::string_view last = last_error();
  const std::string reason = last.empty() || last == kind ? std::string(kind) : fmt::format("{}, {}", kind, last);
  const std::string message = fmt::format("{}: {}{}", operation, reason, code ? fmt::format(" ({})", int{code}) : "");
  if (code == JSStreamWrongLastSequenceErr) throw WriteConflict(message);
  if (status == NATS_TIMEOUT) throw NatsTimeout(message);
  throw NatsError(message);
}

}  // namespace stad::cluster
