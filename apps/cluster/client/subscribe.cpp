#include "cluster/client/subscribe.hpp"

#include <memory>
#include <set>
#include <thread>
#include <unordered_map>

#include <fmt/format.h>

#include "cluster/client/result.hpp"
#include "cluster/nats/pull_consumer.hpp"
#include "server/refusal.hpp"

namespace stad::cluster {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kAtOnce = 256;
constexpr auto kWait = std::chrono::milliseconds(200);

/// Puts results together, each once.
class Collection {
 public:
  void add(const ResultOfBatch& result) {
    auto& [number, seen] = stream_of(result.name);
    if (!seen.insert(result.sequence).second) {
      ++report_.repeated;
      return;
    }
    ++report_.results;
    if (result.sequence < *seen.rbegin()) ++report_.out_of_order;
    if (!result.error.empty()) {
      if (report_.refused++ == 0) report_.first_refusal = result.error;
      return;
    }
    auto& answers = report_.answers;
    answers.stream.push_back(number);
    answers.sequence.push_back(static_cast<std::int64_t>(result.sequence));
    answers.batch_sizes.push_back(static_cast<std::int64_t>(result.labels.size()));
    const auto classes = static_cast<Index>(result.probabilities.size() / result.labels.size());
    if (classes_ != 0 && classes_ != classes)
      server::refuse(400, fmt::format("models {} and others have {} and {} classes; choose one with --model",
                                      result.name.model, classes, classes_));
    classes_ = classes;
    auto& labels = answers.predictions.labels;
    labels.insert(labels.end(), result.labels.begin(), result.labels.end());
    probabilities_.insert(probabilities_.end(), result.probabilities.begin(), result.probabilities.end());
  }

  std::int64_t size() const { return report_.results; }

  SubscribeReport finish() {
    auto& predictions = report_.answers.predictions;
    predictions.probabilities.resize(static_cast<Index>(predictions.labels.size()), std::max<Index>(1, classes_));
    std::ranges::copy(probabilities_, predictions.probabilities.data());
    return std::move(report_);
  }

 private:
  struct StreamSeen {
    std::int64_t number;
    std::set<std::uint64_t> sequences;
  };

  StreamSeen& stream_of(const StreamName& name) {
    const std::string shown = name.model + "/" + name.stream;
    const auto [place, is_new] = streams_.try_emplace(shown, static_cast<std::int64_t>(streams_.size()));
    if (is_new) report_.answers.streams.push_back(shown);
    return place->second;
  }

  std::unordered_map<std::string, StreamSeen> streams_;
  std::vector<float> probabilities_;
  Index classes_ = 0;
  SubscribeReport report_;
};

}  // namespace

SubscribeReport subscribe(const Connection& connection, const SubscribeSettings& settings,
                          const std::function<bool(std::int64_t)>& keep_going) {
  const auto token = [](const std::optional<std::string>& name) { return name ? token_of(*name) : std::string("*"); };
  ConsumerSettings wish{.stream = kOutputStream,
                        .name = "",
                        .filter = fmt::format("stad.out.{}.{}", token(settings.model), token(settings.stream)),
                        .first = 1,
                        .is_acknowledged = false};
  Collection collection;
  std::unique_ptr<PullConsumer> consumer;
  std::optional<Trouble> trouble;  // since the servers last answered
  auto last = Clock::now();
  while (keep_going(collection.size()) && (settings.count == 0 || collection.size() < settings.count) &&
         Clock::now() - last < settings.idle) {
    try {
      if (!consumer) consumer = std::make_unique<PullConsumer>(connection, wish);
      const auto deliveries = consumer->fetch(kAtOnce, kWait);
      trouble.reset();
      for (const auto& delivery : deliveries) {
        collection.add(read_result(delivery));
        wish.first = delivery.sequence + 1;
        last = Clock::now();
      }
    } catch (const Trouble& met) {  // from where we are, with whoever leads now
      trouble = met;
      consumer.reset();
      std::this_thread::sleep_for(kWait);
    }
  }
  if (trouble) throw *trouble;
  return collection.finish();
}

}  // namespace stad::cluster
