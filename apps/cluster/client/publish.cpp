#include "cluster/client/publish.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cluster/nats/publisher.hpp"
#include "common/error.hpp"
#include "serving/store/records.hpp"

namespace stad::cluster {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMaxInFlight = 128;  // messages
constexpr auto kPublishRetry = std::chrono::milliseconds(250);

/// The rows of the file that one message carries, and their stream.
struct MessageRows {
  StreamName name;
  std::vector<Index> rows;
  std::optional<double> time;
};

std::vector<MessageRows> parts_of(const std::vector<PlannedBatch>& batches, const FeatureStream& stream,
                                  const PublishSettings& settings, Index max_rows) {
  std::vector<MessageRows> parts;
  std::int64_t batch_number = 0;
  for (const auto& batch : batches) {
    const std::string suffix = settings.streams > 1 ? fmt::format("-{}", batch_number++ % settings.streams) : "";
    const std::optional<double> time = stream.has_time() ? std::optional(batch.time) : std::nullopt;
    for (auto row = batch.rows.begin(); row != batch.rows.end();) {
      const auto end = row + std::min<std::ptrdiff_t>(max_rows, batch.rows.end() - row);
      parts.push_back({{settings.model, settings.stream + suffix}, {row, end}, time});
      row = end;
    }
  }
  return parts;
}

NatsMessage message_of(const MessageRows& part, const FeatureStream& stream, const std::string& id) {
  Matrix rows;
  rows.resize(static_cast<Index>(part.rows.size()), stream.features.cols);
  for (std::size_t i = 0; i < part.rows.size(); ++i)
    std::ranges::copy(stream.features.row(part.rows[i]), rows.row(static_cast<Index>(i)).begin());
  return input_message(part.name, rows.view(), part.time, id);
}

/// The end of the messages that may be in flight together: no two of one stream, so that their order is kept.
std::size_t end_of_round(const std::vector<MessageRows>& parts, std::size_t first, std::int64_t max_rows) {
  std::size_t end = first;
  std::vector<std::string> streams;
  while (end < parts.size() && static_cast<std::int64_t>(end - first) < max_rows) {
    if (std::ranges::find(streams, parts[end].name.stream) != streams.end()) break;
    streams.push_back(parts[end++].name.stream);
  }
  return end;
}

/// Retries until all messages are stored; the servers drop repetitions.
std::vector<Receipt> deliver(AsyncPublisher& publisher, const std::vector<NatsMessage>& messages,
                             Clock::duration timeout) {
  for (const auto until = Clock::now() + timeout;;) {
    try {
      for (const auto& message : messages) publisher.send(message);
      return publisher.flush();
    } catch (const NatsError& error) {
      if (Clock::now() >= until) throw;
      publisher.discard();
      std::this_thread::sleep_for(kPublishRetry);
    }
  }
}

static_assert(std::endian::native == std::endian::little, "tensors are sent in little-endian order");
constexpr std::size_t kReserved = 8192;  // bytes for JSON and headers of the request

}  // namespace

PublishReport publish(const NatsConnection& connection, const FeatureStream& stream, const PublishSettings& settings,
                      const std::function<bool(std::int64_t, std::int64_t)>& keep_going) {
  const Index max_rows = rows_that_fit(connection.max_payload(), stream.features.cols);
  if (max_rows == 0)
    reject(400, fmt::format("one row of {} values does not fit a message of {} bytes (max_payload)",
                            stream.features.cols, connection.max_payload()));
  const auto batches = need(plan_batches(stream, settings.batches));
  const auto parts = parts_of(batches, stream, settings, max_rows);
  PublishReport report;
  report.batches = static_cast<std::int64_t>(batches.size());
  AsyncPublisher publisher(connection);
  const auto start = Clock::now();
  for (std::size_t first = 0; first < parts.size();) {
    if (!keep_going(report.messages, static_cast<std::int64_t>(parts.size()))) break;
    // With a rate, the messages of a twentieth of a second at a time.
    const std::int64_t at_once =
        settings.rate > 0 ? std::max<std::int64_t>(1, std::int64_t(settings.rate / 20)) : kMaxInFlight;
    const std::size_t end = end_of_round(parts, first, std::min(at_once, kMaxInFlight));
    std::vector<NatsMessage> messages;
    for (std::size_t i = first; i < end; ++i)
      messages.push_back(message_of(parts[i], stream, fmt::format("{}-{}", settings.run, i)));
    for (const auto& receipt : deliver(publisher, messages, settings.timeout))
      report.repeated += receipt.is_repeated ? 1 : 0;
    for (; first < end; ++first, ++report.messages) report.rows += static_cast<std::int64_t>(parts[first].rows.size());
    if (settings.rate > 0)
      std::this_thread::sleep_until(start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                                static_cast<double>(report.messages) / settings.rate)));
  }
  report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return report;
}

NatsMessage input_message(const StreamName& name, MatrixView features, std::optional<double> time,
                          const std::string& id) {
  const std::size_t bytes = static_cast<std::size_t>(features.rows * features.cols) * sizeof(float);
  NatsMessage message{input_subject(name), {}, {}};
  message.payload = fmt::format(
      R"({{"parameters":{{{}"binary_data_output":true}},"inputs":[{{"name":"features","shape":[{},{}],"datatype":"FP32",)"
      R"("parameters":{{"binary_data_size":{}}}}}]}})",
      time ? fmt::format(R"("time":{},)", *time) : "", features.rows, features.cols, bytes);
  message.set(kMessageId, id);
  message.set(kJsonLength, message.payload.size());
  message.set(kShape, fmt::format("{}x{}", features.rows, features.cols));
  message.set(kTime, fmt::format("{:.6f}", serving::seconds_since_epoch()));
  for (Index n = 0; n < features.rows; ++n) {
    const auto row = features.row(n);
    message.payload.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
  }
  return message;
}

Index rows_that_fit(std::size_t max_payload, Index dimension) {
  if (max_payload <= kReserved) return 0;
  return static_cast<Index>((max_payload - kReserved) / (static_cast<std::size_t>(dimension) * sizeof(float)));
}

}  // namespace stad::cluster
