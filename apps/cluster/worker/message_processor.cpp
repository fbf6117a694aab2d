#include "cluster/worker/message_processor.hpp"

#include <utility>

#include "common/error.hpp"
#include "serving/log.hpp"

namespace stad::cluster {
namespace {

constexpr int kStateUnusable = 409;  // status: a state of another model, or one that cannot be rebuilt

}  // namespace

MessageProcessor::MessageProcessor(const WorkerContext& context, const Claim& claim)
    : context_(context), claim_(claim), cache_(context, claim), publisher_(context.connection) {}

void MessageProcessor::process(const Delivery& delivery, std::uint64_t position) {
  StreamName name;
  try {
    name = stream_of_subject(delivery.subject());
    check_partition(delivery.subject(), name, context_.partitions);
    adapt(name, delivery, position);
  } catch (const AppError& failure) {
    flush();  // keeps the order: after the results before, before the results after
    send(delivery, rejected(name, delivery, failure, context_.connection.max_data()));
    flush();
  }
}

void MessageProcessor::flush() {
  claim_.check();
  publisher_.flush();
  ++round_;
  for (const auto& reply : std::exchange(replies_, {})) context_.connection.send(reply);
}

void MessageProcessor::clear() {
  cache_.clear();
  replies_.clear();
  publisher_.discard();
}

void MessageProcessor::adapt(const StreamName& name, const Delivery& delivery, std::uint64_t position) {
  CachedStream* stream = open(name, delivery, position);
  if (stream == nullptr) return adapt_restarted(name, delivery);
  if (is_repeated(*stream, delivery)) return;
  // One result of a stream in flight at a time: the first of two could be lost and sent again after the second.
  if (stream->round == round_) flush();
  stream->round = round_;
  cache_.mark_dirty(*stream, delivery.sequence);
  send(delivery, answer(name, delivery, stream->session, context_.connection.max_data()));
}

/// Null: the stored state is unusable and the message starts a sequence, which does not need it.
CachedStream* MessageProcessor::open(const StreamName& name, const Delivery& delivery, std::uint64_t position) {
  try {
    return &cache_.open(name, position);
  } catch (const AppError& failure) {
    if (http_status(failure) != kStateUnusable) throw;
    if (!restarts(name, delivery, serving::StreamSession(context_.models.find(name.model), 0))) throw;
  }
  return nullptr;
}

/// The stored state is replaced once the message was answered, and kept where the message is rejected.
void MessageProcessor::adapt_restarted(const StreamName& name, const Delivery& delivery) {
  CachedStream replacement = cache_.make_replacement(name);
  if (is_repeated(replacement, delivery)) return;
  const ProcessedMessage processed = answer(name, delivery, replacement.session, context_.connection.max_data());
  CachedStream& stream = cache_.add(std::move(replacement));
  stream.round = round_;
  cache_.mark_dirty(stream, delivery.sequence);
  send(delivery, processed);
}

bool MessageProcessor::is_repeated(const CachedStream& stream, const Delivery& delivery) const {
  if (delivery.sequence > stream.sequence) return false;
  ++context_.counters.repeated;
  return true;
}

void MessageProcessor::send(const Delivery& delivery, const ProcessedMessage& processed) {
  publisher_.send(processed.result);
  if (auto reply = reply_to(delivery, processed.result)) replies_.push_back(*std::move(reply));
  ++context_.counters.batches;
  context_.counters.rows += static_cast<std::uint64_t>(processed.rows);
  if (processed.dead) send_dead(delivery, processed);
}

void MessageProcessor::send_dead(const Delivery& delivery, const ProcessedMessage& processed) {
  publisher_.send(*processed.dead);
  ++context_.counters.dead;
  serving::log(serving::LogLevel::kWarning, "a message was rejected",
               {{"subject", std::string(delivery.subject())},
                {"sequence", std::to_string(delivery.sequence)},
                {"reason", processed.reason}});
}

}  // namespace stad::cluster
