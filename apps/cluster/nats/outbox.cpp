#include "cluster/nats/outbox.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace stad::cluster {
namespace {

constexpr std::int64_t kAcknowledgementWait = 4'000;                                   // ms
constexpr auto kSettleWait = std::chrono::milliseconds(kAcknowledgementWait + 2'000);  // beyond, the library lost one

std::string reason_of(const jsPubAckErr& error) {
  if (error.Err == NATS_NO_RESPONDERS)
    return "no stream of the servers keeps it; no worker has made it yet, none leads it, or the servers lack the "
           "mapping";
  return error.ErrText != nullptr ? error.ErrText : natsStatus_GetText(error.Err);
}

}  // namespace

Outbox::Outbox(const Connection& connection) : connection_(connection) {
  jsOptions wishes;
  jsOptions_Init(&wishes);
  wishes.PublishAsync.AckHandler = acknowledged;
  wishes.PublishAsync.AckHandlerClosure = this;
  must(natsConnection_JetStream(&jetstream_, connection.get(), &wishes), "JetStream");
}

Outbox::~Outbox() {
  // The library calls back for each, answered or not; until then it needs us.
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kSettleWait, [&] { return unanswered_ == 0; });
  lock.unlock();
  jsCtx_Destroy(jetstream_);
}

void Outbox::send(const Message& message, Expectation expectation) {
  connection_.check_fits(message);
  MessagePointer wire = wire_message(message);
  jsPubOptions options;
  jsPubOptions_Init(&options);
  options.MaxWait = kAcknowledgementWait;
  if (expectation.last_of_subject > 0)
    options.ExpectLastSubjectSeq = static_cast<std::uint64_t>(expectation.last_of_subject);
  else if (expectation.last_of_subject == 0)
    options.ExpectNoMessage = true;
  natsMsg* sent = wire.release();
  {
    const std::scoped_lock lock(mutex_);
    under_way_.emplace(sent, receipts_.size());
    receipts_.emplace_back();
    ++unanswered_;
  }
  natsMsg* taken = sent;
  const natsStatus status = js_PublishMsgAsync(jetstream_, &taken, &options);
  if (status == NATS_OK) return;
  {
    const std::scoped_lock lock(mutex_);
    under_way_.erase(sent);
    --unanswered_;
  }
  natsMsg_Destroy(taken);
  must(status, "publishing to " + message.subject);
}

void Outbox::acknowledged(jsCtx*, natsMsg* message, jsPubAck* receipt, jsPubAckErr* error, void* closure) {
  auto& self = *static_cast<Outbox*>(closure);
  {
    const std::scoped_lock lock(self.mutex_);
    --self.unanswered_;
    const auto found = self.under_way_.find(message);
    if (found != self.under_way_.end()) {
      if (receipt != nullptr) {
        self.receipts_[found->second] = {receipt->Sequence, receipt->Duplicate};
      } else if (self.wrong_.empty()) {
        self.is_conflict_ = error->ErrCode == JSStreamWrongLastSequenceErr;
        self.wrong_ = fmt::format("publishing to {}: {}", natsMsg_GetSubject(message), reason_of(*error));
      }
      self.under_way_.erase(found);
    }
    self.changed_.notify_one();
  }
  natsMsg_Destroy(message);
}

void Outbox::forget() {
  const std::scoped_lock lock(mutex_);
  under_way_.clear();
  receipts_.clear();
  wrong_.clear();
  is_conflict_ = false;
}

std::vector<Receipt> Outbox::settle() {
  std::unique_lock lock(mutex_);
  const bool all_came = changed_.wait_for(lock, kSettleWait, [&] { return under_way_.empty(); });
  under_way_.clear();
  std::vector<Receipt> receipts = std::exchange(receipts_, {});
  const std::string wrong = std::exchange(wrong_, {});
  if (std::exchange(is_conflict_, false)) throw Conflict(wrong);
  if (!wrong.empty()) throw Trouble(wrong);
  if (!all_came) throw Trouble("no acknowledgement came in time");
  return receipts;
}

}  // namespace stad::cluster
