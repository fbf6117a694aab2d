#include "cluster/client/request_reply.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cluster/nats/pull_consumer.hpp"
#include "common/error.hpp"
#include "serving/log.hpp"
#include "serving/store/records.hpp"

namespace stad::cluster {
namespace {

using serving::InferOutcome;

constexpr auto kPeriod = std::chrono::milliseconds(200);
constexpr auto kSearchTime = std::chrono::seconds(1);        // of one period, so that timeouts are not delayed
constexpr auto kMaxPause = std::chrono::milliseconds(3200);  // between two searches for a result

/// The response or error of a result.
InferOutcome outcome_of(const Delivery& delivery) {
  if (const auto error = delivery.header(kError))
    return http_error(static_cast<int>(delivery.number(kStatus).value_or(500)), *error);
  serving::InferResponse response{std::string(delivery.payload()), std::nullopt};
  if (const auto length = delivery.number(kJsonLength)) response.json_length = *length;
  return response;
}

constexpr int kScanFetch = 256;
constexpr int kMaxFetches = 8;  // of one search
constexpr auto kScanWait = std::chrono::milliseconds(200);

}  // namespace

RequestReply::RequestReply(const NatsSettings& settings, std::chrono::seconds timeout, std::chrono::milliseconds lease)
    : timeout_(timeout),
      connection_(settings, "stad serve"),
      inbox_(new_inbox()),
      subscription_(
          std::make_unique<Subscription>(connection_, inbox_ + ".*.*", [this](const Delivery& d) { on_message(d); })),
      workers_(connection_, lease),
      thread_([this] { run(); }) {}

RequestReply::~RequestReply() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
  subscription_.reset();
}

std::string RequestReply::obstacle() const {
  if (!connection_.is_connected()) return "the NATS servers cannot be reached";
  return workers_.has_worker() ? "" : "no worker of the cluster is alive";
}

void RequestReply::forward(serving::ForwardedRequest request, std::function<void(InferOutcome)> done) {
  const auto& [name, body, json_length, key, is_labels] = request;
  NatsMessage message{input_subject(name), std::move(request.body), {}};
  const std::string ticket = std::to_string(++tickets_);
  message.set(kMessageId, key.empty() ? inbox_ + ticket : fmt::format("http-{}-{}", message.subject, key));
  if (json_length) message.set(kJsonLength, *json_length);
  if (is_labels) message.set(kKind, kLabels);
  message.set(kTime, fmt::format("{:.6f}", serving::seconds_since_epoch()));
  message.set(kReply, fmt::format("{}.answer.{}", inbox_, ticket));
  if (!connection_.fits(message))
    return done(http_error(413, fmt::format("the request has {} bytes; the NATS servers accept {} with headers "
                                            "(max_payload): send fewer rows",
                                            message.payload.size(), connection_.max_payload())));
  {
    const std::scoped_lock lock(mutex_);
    pending_.emplace(ticket,
                     PendingRequest{std::move(done), Clock::now() + timeout_, false, {.name = name}, {}, kPeriod});
  }
  try {
    connection_.send(message, fmt::format("{}.receipt.{}", inbox_, ticket));
  } catch (const NatsError& error) {
    answer(ticket, http_error(503, std::string("the NATS servers cannot be reached: ") + error.what()));
  }
}

/// INBOX.receipt.TICKET or INBOX.answer.TICKET.
void RequestReply::on_message(const Delivery& delivery) {
  const std::string rest(delivery.subject().substr(inbox_.size() + 1));
  const auto dot = rest.find('.');
  if (rest.starts_with("answer."))
    answer(rest.substr(dot + 1), outcome_of(delivery));
  else
    on_receipt(rest.substr(dot + 1), delivery);
}

void RequestReply::on_receipt(const std::string& ticket, const Delivery& delivery) {
  if (delivery.has_no_responders())
    return answer(
        ticket,
        http_error(503,
                   "no worker has created the streams of the cluster, or the NATS servers lack the subject mapping"));
  const auto receipt = nlohmann::json::parse(delivery.payload(), nullptr, false);
  if (!receipt.is_object() || receipt.contains("error"))
    return answer(ticket,
                  http_error(503, fmt::format("the NATS servers did not store the request: {}", delivery.payload())));
  const std::scoped_lock lock(mutex_);
  const auto found = pending_.find(ticket);
  if (found == pending_.end()) return;
  found->second.is_stored = true;
  if (receipt.value("duplicate", false)) found->second.search.input = receipt.value("seq", std::uint64_t{0});
}

void RequestReply::answer(const std::string& ticket, InferOutcome outcome) {
  std::function<void(InferOutcome)> done;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = pending_.find(ticket);
    if (found == pending_.end()) return;  // timed out, or answered twice
    done = std::move(found->second.done);
    pending_.erase(found);
  }
  done(std::move(outcome));
}

void RequestReply::run() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kPeriod, [&] { return is_ending_; })) {
    std::vector<LateRequest> late;
    std::vector<std::pair<std::string, ResultSearch>> repeated;
    for (const auto& [ticket, waiting] : pending_) {
      if (Clock::now() >= waiting.until)
        late.push_back({ticket, waiting.is_stored});
      else if (waiting.search.input > 0 && Clock::now() >= waiting.next_search)
        repeated.emplace_back(ticket, waiting.search);
    }
    lock.unlock();
    time_out(late);
    for (const auto until = Clock::now() + kSearchTime; auto& [ticket, search] : repeated)
      if (Clock::now() < until) search_result(ticket, std::move(search));
    lock.lock();
  }
  const auto left = std::exchange(pending_, {});
  lock.unlock();
  for (const auto& [ticket, waiting] : left) waiting.done(http_error(503, "the service is shutting down"));
}

/// Only a request whose receipt has arrived is known to be stored.
void RequestReply::time_out(const std::vector<LateRequest>& late) {
  for (const auto& [ticket, is_stored] : late)
    answer(ticket, is_stored
                       ? http_error(504,
                                    "no worker answered in time; the request is stored and will be processed: repeat "
                                    "it with the same id to get its answer")
                       : http_error(503,
                                    "the NATS servers did not confirm that they stored the request, which may or may "
                                    "not be processed: repeat it with the same id"));
}

void RequestReply::search_result(const std::string& ticket, ResultSearch search) {
  try {
    if (const auto found = search.find(connection_)) return answer(ticket, outcome_of(*found));
  } catch (const NatsError& error) {
    serving::log(serving::LogLevel::kWarning, "the search for a result failed", {{"reason", error.what()}});
  }
  const std::scoped_lock lock(mutex_);
  const auto found = pending_.find(ticket);
  if (found == pending_.end()) return;
  PendingRequest& waiting = found->second;
  const bool has_advanced = search.first > waiting.search.first;
  waiting.search = std::move(search);
  waiting.next_search = Clock::now() + waiting.pause;
  waiting.pause = has_advanced ? kPeriod : std::min(2 * waiting.pause, kMaxPause);
}

std::optional<Delivery> ResultSearch::find(const NatsConnection& connection) {
  auto last = connection.last_message(kOutputStream, output_subject(name));
  if (!last || last->sequence < first) return std::nullopt;
  // Results of a stream are in the order of its inputs: mostly it is the last one, or not yet there.
  const std::uint64_t newest = last->number(kSequence).value_or(0);
  if (newest == input) return last;
  if (newest < input) return std::nullopt;
  return scan(connection);
}

std::optional<Delivery> ResultSearch::scan(const NatsConnection& connection) {
  PullConsumer consumer(
      connection,
      {.stream = kOutputStream, .name = "", .filter = output_subject(name), .first = first, .is_acknowledged = false});
  for (int fetch = 0; fetch < kMaxFetches; ++fetch) {
    auto deliveries = consumer.fetch(kScanFetch, kScanWait);
    for (auto& delivery : deliveries) {
      if (delivery.number(kSequence) == input) return std::move(delivery);
      first = delivery.sequence + 1;
    }
    if (deliveries.empty() || consumer.waiting() == 0) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace stad::cluster
