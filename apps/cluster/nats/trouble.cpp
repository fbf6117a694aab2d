#include "cluster/nats/trouble.hpp"

#include <string_view>

#include <fmt/format.h>

namespace stad::cluster {
namespace {

/// What the library says of its last error on this thread, without the place in its source that it begins with.
std::string_view last_error() {
  const char* text = nats_GetLastError(nullptr);
  const std::string_view whole = text == nullptr ? "" : text;
  const auto place = whole.find("): ");
  return place == std::string_view::npos ? whole : whole.substr(place + 3);
}

}  // namespace

void must(natsStatus status, const std::string& what, jsErrCode code) {
  if (status == NATS_OK) return;
  const std::string_view kind = natsStatus_GetText(status);
  const std::string_view last = last_error();
  const std::string reason = last.empty() || last == kind ? std::string(kind) : fmt::format("{}, {}", kind, last);
  const std::string message = fmt::format("{}: {}{}", what, reason, code ? fmt::format(" ({})", int{code}) : "");
  if (code == JSStreamWrongLastSequenceErr) throw Conflict(message);
  if (status == NATS_TIMEOUT) throw Late(message);
  throw Trouble(message);
}

}  // namespace stad::cluster
