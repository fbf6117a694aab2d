#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cluster/names.hpp"
#include "cluster/nats/message.hpp"
#include "server/serving/learner.hpp"

namespace stad::cluster {

/// What is sent for a message that was taken.
struct Answered {
  Message result;               ///< for stad.out
  std::optional<Message> dead;  ///< for stad.dead, where it could not be answered
  std::string reason;           ///< why it could not
  std::int64_t rows = 0;
};

/// Answers with what the stream has learned, and learns. Throws Refusal where the message breaks a rule or its answer
/// is too large, and has learned nothing then.
/// @param most bytes that a payload may have
Answered answer(const StreamName& name, const Delivery& delivery, server::Learner& learner, std::size_t most);

/// Whether the message starts a sequence, so that nothing learned before counts. Throws Refusal where it cannot be
/// read.
bool starts_anew(const StreamName& name, const Delivery& delivery, const server::Learner& learner);

/// Says why there is no answer: to whoever reads the results, and with the whole message, unless that is too large, to
/// whoever looks after it.
Answered refused(const StreamName& name, const Delivery& delivery, const server::Refusal& refusal, std::size_t most);

/// A copy of the result for someone who waits for it; none where nobody does, or where it is no inbox that is named.
std::optional<Message> reply_to(const Delivery& delivery, const Message& result);

}  // namespace stad::cluster
