#include "cluster/nats/publisher.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace stad::cluster {
namespace {

constexpr std::int64_t kAckTimeout = 4'000;                                     // ms
constexpr auto kFlushTimeout = std::chrono::milliseconds(kAckTimeout + 2'000);  // beyond, libnats has lost one

std::string reason_of(const jsPubAckErr& error) {
  if (error.Err == NATS_NO_RESPONDERS)
    return "no stream stores it: no worker has created it yet, it has no leader, or the servers lack the subject "
           "mapping";
  return error.ErrText != nullptr ? error.ErrText : natsStatus_GetText(error.Err);
}

}  // namespace

AsyncPublisher::AsyncPublisher(const NatsConnection& connection) : connection_(connection) {
  jsOptions options;
  jsOptions_Init(&options);
  options.PublishAsync.AckHandler = acknowledged;
  options.PublishAsync.AckHandlerClosure = this;
  check_nats(natsConnection_JetStream(&jetstream_, connection.get(), &options), "JetStream");
}

AsyncPublisher::~AsyncPublisher() {
  // libnats calls acknowledged() for every message; this object must exist until then.
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kFlushTimeout, [&] { return unanswered_ == 0; });
  lock.unlock();
  jsCtx_Destroy(jetstream_);
}

void AsyncPublisher::send(const NatsMessage& message, Expectation expectation) {
  connection_.check_fits(message);
  MessagePointer wire = wire_message(message);
  jsPubOptions options;
  jsPubOptions_Init(&options);
  options.MaxWait = kAckTimeout;
  if (expectation.last_of_subject > 0)
    options.ExpectLastSubjectSeq = static_cast<std::uint64_t>(expectation.last_of_subject);
  else if (expectation.last_of_subject == 0)
    options.ExpectNoMessage = true;
  natsMsg* sent = wire.release();
  {
    const std::scoped_lock lock(mutex_);
    in_flight_.emplace(sent, receipts_.size());
    receipts_.emplace_back();
    ++unanswered_;
  }
  natsMsg* taken = sent;
  const natsStatus status = js_PublishMsgAsync(jetstream_, &taken, &options);
  if (status == NATS_OK) return;
  {
    const std::scoped_lock lock(mutex_);
    in_flight_.erase(sent);
    --unanswered_;
  }
  natsMsg_Destroy(taken);
  check_nats(status, "publishing to " + message.subject);
}

void AsyncPublisher::acknowledged(jsCtx*, natsMsg* message, jsPubAck* receipt, jsPubAckErr* error, void* closure) {
  auto& self = *static_cast<AsyncPublisher*>(closure);
  {
    const std::scoped_lock lock(self.mutex_);
    --self.unanswered_;
    const auto found = self.in_flight_.find(message);
    if (found != self.in_flight_.end()) {
      if (receipt != nullptr) {
        self.receipts_[found->second] = {receipt->Sequence, receipt->Duplicate};
      } else if (self.failure_.empty()) {
        self.is_conflict_ = error->ErrCode == JSStreamWrongLastSequenceErr;
        self.failure_ = fmt::format("publishing to {}: {}", natsMsg_GetSubject(message), reason_of(*error));
      }
      self.in_flight_.erase(found);
    }
    self.changed_.notify_one();
  }
  natsMsg_Destroy(message);
}

void AsyncPublisher::discard() {
  const std::scoped_lock lock(mutex_);
  in_flight_.clear();
  receipts_.clear();
  failure_.clear();
  is_conflict_ = false;
}

std::vector<Receipt> AsyncPublisher::flush() {
  std::unique_lock lock(mutex_);
  const bool is_complete = changed_.wait_for(lock, kFlushTimeout, [&] { return in_flight_.empty(); });
  in_flight_.clear();
  std::vector<Receipt> receipts = std::exchange(receipts_, {});
  const std::string reason = std::exchange(failure_, {});
  if (std::exchange(is_conflict_, false)) throw WriteConflict(reason);
  if (!reason.empty()) throw NatsError(reason);
  if (!is_complete) throw NatsError("no acknowledgement came in time");
  return receipts;
}

}  // namespace stad::cluster
