#include "cluster/client/subscribe.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <set>
#include <string_view>
#include <thread>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cluster/nats/pull_consumer.hpp"
#include "common/error.hpp"

namespace stad::cluster {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFetch = 256;
constexpr auto kWait = std::chrono::milliseconds(200);

/// Concatenates results, each once.
class ResultCollector {
 public:
  void add(const BatchResult& result) {
    auto& [number, sequences] = stream_of(result.name);
    if (!sequences.insert(result.sequence).second) {
      ++report_.repeated;
      return;
    }
    ++report_.results;
    if (result.sequence < *sequences.rbegin()) ++report_.out_of_order;
    if (!result.error.empty()) {
      if (report_.refused++ == 0) report_.first_error = result.error;
      return;
    }
    auto& answers = report_.answers;
    answers.stream.push_back(number);
    answers.sequence.push_back(static_cast<std::int64_t>(result.sequence));
    answers.batch_sizes.push_back(static_cast<std::int64_t>(result.labels.size()));
    const auto classes = static_cast<Index>(result.probabilities.size() / result.labels.size());
    if (classes_ != 0 && classes_ != classes)
      reject(400, fmt::format("model {} has {} classes, others have {}; select one with --model", result.name.model,
                              classes, classes_));
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
  struct ReceivedStream {
    std::int64_t number;
    std::set<std::uint64_t> sequences;
  };

  ReceivedStream& stream_of(const StreamName& name) {
    const std::string shown = name.model + "/" + name.stream;
    const auto [place, is_new] =
        streams_.try_emplace(shown, ReceivedStream{static_cast<std::int64_t>(streams_.size()), {}});
    if (is_new) report_.answers.streams.push_back(shown);
    return place->second;
  }

  std::unordered_map<std::string, ReceivedStream> streams_;
  std::vector<float> probabilities_;
  Index classes_ = 0;
  SubscribeReport report_;
};

using Json = nlohmann::ordered_json;

/// The values of an output, as JSON numbers or as the next bytes after the JSON.
template <typename T>
std::vector<T> take_values(const Json& output, std::string_view& rest) {
  if (const auto data = output.find("data"); data != output.end()) return data->get<std::vector<T>>();
  const std::string_view bytes = rest.substr(0, output.at("parameters").at("binary_data_size").get<std::size_t>());
  rest.remove_prefix(bytes.size());
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

void read_answer(const Delivery& delivery, BatchResult& result) {
  const std::string_view payload = delivery.payload();
  const std::size_t length =
      std::min<std::size_t>(delivery.number(kJsonLength).value_or(payload.size()), payload.size());
  const Json answer = Json::parse(payload.substr(0, length));
  std::string_view rest = payload.substr(length);
  for (const auto& output : answer.at("outputs")) {
    if (output.at("datatype") == "FP32") {
      auto values = take_values<float>(output, rest);
      if (output.at("name") == "probabilities") result.probabilities = std::move(values);
    } else {
      auto values = take_values<std::int64_t>(output, rest);
      if (output.at("name") == "label") result.labels = std::move(values);
    }
  }
}

ConsumerSettings consumer_of(const SubscribeSettings& settings) {
  const auto token = [](const std::optional<std::string>& name) { return name ? token_of(*name) : std::string("*"); };
  return {.stream = kOutputStream,
          .name = "",
          .filter = fmt::format("stad.out.{}.{}", token(settings.model), token(settings.stream)),
          .first = 1,
          .is_acknowledged = false};
}

}  // namespace

SubscribeReport subscribe(const NatsConnection& connection, const SubscribeSettings& settings,
                          const std::function<bool(std::int64_t)>& keep_going) {
  ConsumerSettings consumer_settings = consumer_of(settings);
  ResultCollector collection;
  std::unique_ptr<PullConsumer> consumer;
  std::exception_ptr last_error;  // null once the servers answered again
  auto last = Clock::now();
  while (keep_going(collection.size()) && (settings.count == 0 || collection.size() < settings.count) &&
         Clock::now() - last < settings.idle) {
    try {
      if (!consumer) consumer = std::make_unique<PullConsumer>(connection, consumer_settings);
      const auto deliveries = consumer->fetch(kFetch, kWait);
      last_error = nullptr;
      for (const auto& delivery : deliveries) {
        if (!delivery.header(kKind)) collection.add(read_result(delivery));  // others are not of a batch
        consumer_settings.first = delivery.sequence + 1;
        last = Clock::now();
      }
    } catch (const NatsError&) {  // continues from the current position with a new consumer
      last_error = std::current_exception();
      consumer.reset();
      std::this_thread::sleep_for(kWait);
    }
  }
  if (last_error) std::rethrow_exception(last_error);
  return collection.finish();
}

BatchResult read_result(const Delivery& delivery) {
  BatchResult result;
  result.name = stream_of_subject(delivery.subject());
  const auto sequence = delivery.number(kSequence);
  if (!sequence)
    reject(400, fmt::format("message {} of {} has no header {}", delivery.sequence, kOutputStream, kSequence));
  result.sequence = *sequence;
  if (const auto error = delivery.header(kError)) {
    result.error = *error;
    return result;
  }
  try {
    read_answer(delivery, result);
  } catch (const Json::exception& broken) {
    result.error = fmt::format("the result of input {} cannot be read: {}", *sequence, broken.what());
    return result;
  }
  if (result.labels.empty() || result.probabilities.empty() || result.probabilities.size() % result.labels.size() != 0)
    result.error = fmt::format("the result of input {} lacks label or probabilities", *sequence);
  return result;
}

}  // namespace stad::cluster
