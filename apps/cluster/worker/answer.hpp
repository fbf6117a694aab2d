#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cluster/layout/names.hpp"
#include "cluster/nats/message.hpp"
#include "common/error.hpp"
#include "serving/stream_session.hpp"

namespace stad::cluster {

/// The messages to publish for an input.
struct ProcessedMessage {
  NatsMessage result;               ///< to stad.out
  std::optional<NatsMessage> dead;  ///< to stad.dead, where the input was rejected
  std::string reason;               ///< of the rejection
  std::int64_t rows = 0;
};

/// Answers an input and adapts the stream to it. Throws AppError where the message is invalid or its answer too large;
/// the session is unchanged then.
/// @param max_bytes of a payload
ProcessedMessage answer(const StreamName& name, const Delivery& delivery, serving::StreamSession& session,
                        std::size_t max_bytes);

/// Whether the message starts a sequence, which does not depend on earlier state. Throws AppError where it cannot be
/// read.
bool restarts(const StreamName& name, const Delivery& delivery, const serving::StreamSession& session);

/// The error as a result, and as a dead message with the payload of the input unless that is too large.
ProcessedMessage rejected(const StreamName& name, const Delivery& delivery, const AppError& failure,
                          std::size_t max_bytes);

/// A copy of the result for the inbox named in the input; none where there is none or it is not an inbox.
std::optional<NatsMessage> reply_to(const Delivery& delivery, const NatsMessage& result);

}  // namespace stad::cluster
