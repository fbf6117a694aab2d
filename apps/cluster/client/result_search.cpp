#include "cluster/client/result_search.hpp"

#include <utility>

#include "cluster/nats/pull_consumer.hpp"

namespace stad::cluster {
namespace {

constexpr int kAtOnce = 256;
constexpr int kMostFetches = 8;  // of one look, so that whoever looks gets to other things
constexpr auto kWait = std::chrono::milliseconds(200);

}  // namespace

std::optional<Delivery> ResultSearch::look(const Connection& connection) {
  auto last = connection.last_message(kOutputStream, output_subject(name));
  if (!last || last->sequence < first) return std::nullopt;
  // A stream's results come in the order of its inputs: most often it is the last, or still to come.
  const std::uint64_t newest = last->number(kSequence).value_or(0);
  if (newest == input) return last;
  if (newest < input) return std::nullopt;
  return look_through(connection);
}

std::optional<Delivery> ResultSearch::look_through(const Connection& connection) {
  PullConsumer consumer(
      connection,
      {.stream = kOutputStream, .name = "", .filter = output_subject(name), .first = first, .is_acknowledged = false});
  for (int fetch = 0; fetch < kMostFetches; ++fetch) {
    auto deliveries = consumer.fetch(kAtOnce, kWait);
    for (auto& delivery : deliveries) {
      if (delivery.number(kSequence) == input) return std::move(delivery);
      first = delivery.sequence + 1;
    }
    if (deliveries.empty() || consumer.waiting() == 0) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace stad::cluster
