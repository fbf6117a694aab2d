#include "cluster/nats/pull_consumer.hpp"

#include <fmt/format.h>

namespace stad::cluster {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // ns
constexpr std::int64_t kAckWait = 60 * kSecond;
constexpr std::int64_t kRemovalWait = 1'000;  // ms; a consumer without a leader is removed without an answer
constexpr std::int64_t kInactiveThreshold = 600 * kSecond;  // of a consumer without fetches, which is then removed

struct DestroyConsumerInfo {
  void operator()(jsConsumerInfo* info) const { jsConsumerInfo_Destroy(info); }
};
using ConsumerInfoPointer = std::unique_ptr<jsConsumerInfo, DestroyConsumerInfo>;

std::string create(const NatsConnection& connection, const ConsumerSettings& settings) {
  jsConsumerConfig config;
  jsConsumerConfig_Init(&config);
  if (!settings.name.empty()) config.Durable = settings.name.c_str();
  config.FilterSubject = settings.filter.c_str();
  config.DeliverPolicy = js_DeliverByStartSequence;
  config.OptStartSeq = settings.first;
  config.AckPolicy = settings.is_acknowledged ? js_AckAll : js_AckNone;
  if (settings.is_acknowledged) {
    config.AckWait = kAckWait;
    config.MaxAckPending = settings.max_unacknowledged;
  }
  config.InactiveThreshold = kInactiveThreshold;
  jsConsumerInfo* made = nullptr;
  auto code = static_cast<jsErrCode>(0);
  const natsStatus status =
      js_AddConsumer(&made, connection.jetstream(), settings.stream.c_str(), &config, nullptr, &code);
  check_nats(status, fmt::format("consumer {} of {}", settings.name, settings.stream), code);
  return ConsumerInfoPointer(made)->Name;
}

}  // namespace

PullConsumer::PullConsumer(const NatsConnection& connection, const ConsumerSettings& settings)
    : connection_(connection),
      stream_(settings.stream),
      is_durable_(!settings.name.empty()),
      name_(create(connection, settings)) {
  try {
    bind(settings);
  } catch (const NatsError&) {
    if (!is_durable_) remove_consumer(connection_, stream_, name_);
    throw;
  }
}

PullConsumer::~PullConsumer() {
  natsSubscription_Destroy(subscription_);
  if (!is_durable_) remove_consumer(connection_, stream_, name_);
}

void PullConsumer::bind(const ConsumerSettings& settings) {
  jsSubOptions options;
  jsSubOptions_Init(&options);
  options.Stream = stream_.c_str();
  options.Consumer = name_.c_str();
  auto code = static_cast<jsErrCode>(0);
  const natsStatus status = js_PullSubscribe(&subscription_, connection_.jetstream(), settings.filter.c_str(),
                                             is_durable_ ? name_.c_str() : nullptr, nullptr, &options, &code);
  check_nats(status, fmt::format("binding to consumer {} of {}", name_, stream_), code);
}

bool PullConsumer::is_at_end() const {
  const auto progress = progress_of(connection_, stream_, name_);
  if (!progress) throw NatsError(fmt::format("the servers have lost consumer {} of {}", name_, stream_));
  return progress->waiting == 0;
}

std::vector<Delivery> PullConsumer::fetch(int max, std::chrono::milliseconds wait) {
  auto deliveries = request(max, false, wait);
  if (deliveries.empty()) deliveries = request(1, true, wait);
  for (const auto& delivery : deliveries) {
    if (delivery.delivery != delivered_ + 1)
      throw NatsError(fmt::format("{} messages were lost on the way", delivery.delivery - delivered_ - 1));
    delivered_ = delivery.delivery;
    waiting_ = delivery.waiting;
  }
  return deliveries;
}

std::vector<Delivery> PullConsumer::request(int max, bool waits, std::chrono::milliseconds wait) {
  jsFetchRequest fetch_request;
  jsFetchRequest_Init(&fetch_request);
  fetch_request.Batch = max;
  fetch_request.NoWait = !waits;
  fetch_request.Expires = std::chrono::nanoseconds(wait).count();
  natsMsgList list{};
  const natsStatus status = natsSubscription_FetchRequest(&list, subscription_, &fetch_request);
  std::vector<Delivery> deliveries;
  deliveries.reserve(static_cast<std::size_t>(list.Count));
  for (int i = 0; i < list.Count; ++i) deliveries.emplace_back(MessagePointer(std::exchange(list.Msgs[i], nullptr)));
  natsMsgList_Destroy(&list);
  if (status != NATS_TIMEOUT && status != NATS_NOT_FOUND) check_nats(status, "fetching messages");
  return deliveries;
}

void acknowledge(const Delivery& delivery) { check_nats(natsMsg_Ack(delivery.get(), nullptr), "acknowledging"); }

void remove_consumer(const NatsConnection& connection, const std::string& stream, const std::string& name) {
  jsOptions options;
  jsOptions_Init(&options);
  options.Wait = kRemovalWait;
  js_DeleteConsumer(connection.jetstream(), stream.c_str(), name.c_str(), &options, nullptr);
}

std::optional<ConsumerProgress> progress_of(const NatsConnection& connection, const std::string& stream,
                                            const std::string& name) {
  jsConsumerInfo* found = nullptr;
  const natsStatus status =
      js_GetConsumerInfo(&found, connection.jetstream(), stream.c_str(), name.c_str(), nullptr, nullptr);
  if (status == NATS_NOT_FOUND) return std::nullopt;
  check_nats(status, fmt::format("consumer {} of {}", name, stream));
  const ConsumerInfoPointer info(found);
  return ConsumerProgress{info->NumPending, static_cast<std::uint64_t>(info->NumAckPending)};
}

}  // namespace stad::cluster
