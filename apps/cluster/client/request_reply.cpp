#include "cluster/client/request_reply.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/refusal.hpp"
#include "server/serving/keeper.hpp"
#include "server/telemetry/log.hpp"

namespace stad::cluster {
namespace {

using server::InferOutcome;
using server::Refusal;

constexpr auto kRound = std::chrono::milliseconds(200);
constexpr auto kLooking = std::chrono::seconds(1);               // for results, before others may be late
constexpr auto kLongestPause = std::chrono::milliseconds(3200);  // before a result is looked for again

/// A result as a client of the service sees it.
InferOutcome outcome_of(const Delivery& delivery) {
  if (const auto error = delivery.header(kError))
    return Refusal{static_cast<int>(delivery.number(kStatus).value_or(500)), *error};
  server::InferResponse response{std::string(delivery.payload()), std::nullopt};
  if (const auto length = delivery.number(kJsonLength)) response.json_length = *length;
  return response;
}

}  // namespace

RequestReply::RequestReply(const NatsSettings& settings, std::chrono::seconds patience)
    : patience_(patience),
      connection_(settings, "stad serve"),
      inbox_(new_inbox()),
      listening_(std::make_unique<Listening>(connection_, inbox_ + ".*.*", [this](const Delivery& d) { hear(d); })),
      thread_([this] { look_after(); }) {}

RequestReply::~RequestReply() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
  listening_.reset();
}

void RequestReply::forward(const StreamName& name, std::string body, std::optional<std::size_t> json_length,
                           const std::string& key, std::function<void(InferOutcome)> done) {
  Message message{input_subject(name), std::move(body), {}};
  const std::string ticket = std::to_string(++tickets_);
  message.set(kMessageId, key.empty() ? inbox_ + ticket : fmt::format("http-{}-{}", message.subject, key));
  if (json_length) message.set(kJsonLength, *json_length);
  message.set(kTime, fmt::format("{:.6f}", server::now_in_seconds()));
  message.set(kReply, fmt::format("{}.answer.{}", inbox_, ticket));
  if (!connection_.fits(message))
    return done(Refusal{413, fmt::format("the request has {} bytes; the workers' servers take {} with headers "
                                         "(max_payload): send fewer rows at once",
                                         message.payload.size(), connection_.max_payload())});
  {
    const std::scoped_lock lock(mutex_);
    waiting_.emplace(ticket, Waiting{std::move(done), Clock::now() + patience_, {.name = name}, {}, kRound});
  }
  try {
    connection_.send(message, fmt::format("{}.receipt.{}", inbox_, ticket));
  } catch (const Trouble& trouble) {
    answer(ticket, Refusal{503, std::string("the workers' servers are out of reach: ") + trouble.what()});
  }
}

/// INBOX.receipt.TICKET or INBOX.answer.TICKET.
void RequestReply::hear(const Delivery& delivery) {
  const std::string rest(delivery.subject().substr(inbox_.size() + 1));
  const auto dot = rest.find('.');
  if (rest.starts_with("answer."))
    answer(rest.substr(dot + 1), outcome_of(delivery));
  else
    hear_receipt(rest.substr(dot + 1), delivery);
}

void RequestReply::hear_receipt(const std::string& ticket, const Delivery& delivery) {
  if (delivery.says_nobody_listens())
    return answer(ticket, Refusal{503, "no worker has made the log of the cluster, or its servers lack the mapping"});
  const auto receipt = nlohmann::json::parse(delivery.payload(), nullptr, false);
  if (!receipt.is_object() || receipt.contains("error"))
    return answer(ticket,
                  Refusal{503, fmt::format("the workers' servers did not keep the request: {}", delivery.payload())});
  if (!receipt.value("duplicate", false)) return;
  const std::scoped_lock lock(mutex_);
  if (const auto found = waiting_.find(ticket); found != waiting_.end())
    found->second.search.input = receipt.value("seq", std::uint64_t{0});
}

void RequestReply::answer(const std::string& ticket, InferOutcome outcome) {
  std::function<void(InferOutcome)> done;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = waiting_.find(ticket);
    if (found == waiting_.end()) return;  // given up, or answered twice
    done = std::move(found->second.done);
    waiting_.erase(found);
  }
  done(std::move(outcome));
}

void RequestReply::look_after() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kRound, [&] { return is_ending_; })) {
    std::vector<std::string> late;
    std::vector<std::pair<std::string, ResultSearch>> repeated;
    for (const auto& [ticket, waiting] : waiting_) {
      if (Clock::now() >= waiting.until)
        late.push_back(ticket);
      else if (waiting.search.input > 0 && Clock::now() >= waiting.next_look)
        repeated.emplace_back(ticket, waiting.search);
    }
    lock.unlock();
    give_up(late);
    for (const auto until = Clock::now() + kLooking; auto& [ticket, search] : repeated)
      if (Clock::now() < until) look_for(ticket, std::move(search));
    lock.lock();
  }
  const auto left = std::exchange(waiting_, {});
  lock.unlock();
  for (const auto& [ticket, waiting] : left) waiting.done(Refusal{503, "the service ends"});
}

void RequestReply::give_up(const std::vector<std::string>& late) {
  for (const auto& ticket : late)
    answer(ticket, Refusal{504,
                           "no worker answered in time; the request is kept and will be learned from: repeat it with "
                           "the same id to get its answer"});
}

void RequestReply::look_for(const std::string& ticket, ResultSearch search) {
  try {
    if (const auto found = search.look(connection_)) return answer(ticket, outcome_of(*found));
  } catch (const Trouble& trouble) {
    server::log(server::LogLevel::kWarning, "a result could not be looked for", {{"reason", trouble.what()}});
  }
  const std::scoped_lock lock(mutex_);
  const auto found = waiting_.find(ticket);
  if (found == waiting_.end()) return;
  Waiting& waiting = found->second;
  const bool came_further = search.first > waiting.search.first;
  waiting.search = std::move(search);
  waiting.next_look = Clock::now() + waiting.pause;
  waiting.pause = came_further ? kRound : std::min(2 * waiting.pause, kLongestPause);
}

}  // namespace stad::cluster
