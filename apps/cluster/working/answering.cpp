#include "cluster/working/answering.hpp"

#include <utility>

#include "server/refusal.hpp"
#include "server/telemetry/log.hpp"

namespace stad::cluster {
namespace {

using server::Refusal;

constexpr int kCannotBeOpened = 409;  // a state of another model, or one that cannot be rebuilt

}  // namespace

Answering::Answering(const Workplace& workplace, const Claim& claim)
    : place_(workplace), claim_(claim), shelf_(workplace, claim), outbox_(workplace.connection) {}

void Answering::take(const Delivery& delivery, std::uint64_t position) {
  StreamName name;
  try {
    name = stream_of_subject(delivery.subject());
    check_partition(delivery.subject(), name, place_.partitions);
    learn(name, delivery, position);
  } catch (const Refusal& refusal) {
    settle();  // after the results of those before, and before those of the next
    send(delivery, refused(name, delivery, refusal, place_.connection.most_payload()));
    settle();
  }
}

void Answering::settle() {
  claim_.check();
  outbox_.settle();
  ++round_;
  for (const auto& reply : std::exchange(replies_, {})) place_.connection.send(reply);
}

void Answering::clear() {
  shelf_.clear();
  replies_.clear();
  outbox_.forget();
}

void Answering::learn(const StreamName& name, const Delivery& delivery, std::uint64_t position) {
  StreamAtHand* stream = open(name, delivery, position);
  if (stream == nullptr) return learn_anew(name, delivery);
  if (is_repeated(*stream, delivery)) return;
  // One result of a stream at a time: of two on their way the first could be lost and come after the second.
  if (stream->round == round_) settle();
  stream->round = round_;
  shelf_.mark(*stream, delivery.sequence);
  send(delivery, answer(name, delivery, stream->learner, place_.connection.most_payload()));
}

/// None: what was kept cannot be opened, and the message starts a sequence, which needs none of it.
StreamAtHand* Answering::open(const StreamName& name, const Delivery& delivery, std::uint64_t position) {
  try {
    return &shelf_.open(name, position);
  } catch (const Refusal& refusal) {
    if (refusal.status != kCannotBeOpened) throw;
    if (!starts_anew(name, delivery, server::Learner(place_.models.find(name.model), 0))) throw;
  }
  return nullptr;
}

/// What was kept is replaced once the message is answered, and stays where it is refused.
void Answering::learn_anew(const StreamName& name, const Delivery& delivery) {
  StreamAtHand fresh = shelf_.anew(name);
  if (is_repeated(fresh, delivery)) return;
  const Answered answered = answer(name, delivery, fresh.learner, place_.connection.most_payload());
  StreamAtHand& stream = shelf_.add(std::move(fresh));
  stream.round = round_;
  shelf_.mark(stream, delivery.sequence);
  send(delivery, answered);
}

bool Answering::is_repeated(const StreamAtHand& stream, const Delivery& delivery) const {
  if (delivery.sequence > stream.sequence) return false;
  ++place_.figures.repeated;
  return true;
}

void Answering::send(const Delivery& delivery, const Answered& answered) {
  outbox_.send(answered.result);
  if (auto reply = reply_to(delivery, answered.result)) replies_.push_back(*std::move(reply));
  ++place_.figures.batches;
  place_.figures.rows += static_cast<std::uint64_t>(answered.rows);
  if (answered.dead) send_dead(delivery, answered);
}

void Answering::send_dead(const Delivery& delivery, const Answered& answered) {
  outbox_.send(*answered.dead);
  ++place_.figures.dead;
  server::log(server::LogLevel::kWarning, "a message was refused",
              {{"subject", std::string(delivery.subject())},
               {"sequence", std::to_string(delivery.sequence)},
               {"reason", answered.reason}});
}

}  // namespace stad::cluster
