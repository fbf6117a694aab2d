#include "cluster/working/replay.hpp"

#include <fmt/format.h>

#include "cluster/layout.hpp"
#include "cluster/nats/pull_consumer.hpp"
#include "server/refusal.hpp"

namespace stad::cluster {
namespace {

constexpr int kAtOnce = 64;
constexpr auto kWait = std::chrono::milliseconds(1000);

}  // namespace

void replay(const Connection& connection, std::int64_t partition, const StreamName& name, std::uint64_t first,
            std::uint64_t last, const std::function<void(const Delivery&)>& each) {
  if (first > last) return;
  if (const std::uint64_t oldest = facts_of(connection, kInputStream).first; oldest > first)
    server::refuse(
        409, fmt::format("stream '{}' of model {} cannot be rebuilt: it needs the log from {} on, which begins at "
                         "{}; a batch with sequence_start begins anew",
                         name.stream, name.model, first, oldest));
  PullConsumer consumer(connection, {.stream = kInputStream,
                                     .name = "",
                                     .filter = partition_subject(partition, name),
                                     .first = first,
                                     .is_acknowledged = false});
  while (true) {
    const auto deliveries = consumer.fetch(kAtOnce, kWait);
    if (deliveries.empty()) {
      // Servers that are slow look like a log that is over: a state that lacks its end would be taken for whole.
      if (consumer.is_at_end()) return;
      throw Trouble(fmt::format("the log of stream '{}' of model {} was not delivered", name.stream, name.model));
    }
    for (const auto& delivery : deliveries) {
      if (delivery.sequence > last) return;
      each(delivery);
    }
    if (consumer.waiting() == 0) return;
  }
}

}  // namespace stad::cluster
