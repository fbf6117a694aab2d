#include "cluster/client/publish.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cluster/client/input_message.hpp"
#include "cluster/nats/outbox.hpp"
#include "server/refusal.hpp"

namespace stad::cluster {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kRound = 128;  // messages on their way at once
constexpr auto kPause = std::chrono::milliseconds(250);

/// What one message carries: rows of the file, and whose they are.
struct Part {
  StreamName name;
  std::vector<Index> rows;
  std::optional<double> time;
};

std::vector<Part> parts_of(const std::vector<PlannedBatch>& batches, const FeatureStream& stream,
                           const PublishSettings& settings, Index most) {
  std::vector<Part> parts;
  std::int64_t turn = 0;
  for (const auto& batch : batches) {
    const std::string suffix = settings.streams > 1 ? fmt::format("-{}", turn++ % settings.streams) : "";
    const std::optional<double> time = stream.has_time() ? std::optional(batch.time) : std::nullopt;
    for (auto row = batch.rows.begin(); row != batch.rows.end();) {
      const auto end = row + std::min<std::ptrdiff_t>(most, batch.rows.end() - row);
      parts.push_back({{settings.model, settings.stream + suffix}, {row, end}, time});
      row = end;
    }
  }
  return parts;
}

Message message_of(const Part& part, const FeatureStream& stream, const std::string& id) {
  Matrix rows;
  rows.resize(static_cast<Index>(part.rows.size()), stream.features.cols);
  for (std::size_t i = 0; i < part.rows.size(); ++i)
    std::ranges::copy(stream.features.row(part.rows[i]), rows.row(static_cast<Index>(i)).begin());
  return input_message(part.name, rows.view(), part.time, id);
}

/// As many as may be on their way together: no two of one stream, so that none can overtake another.
std::size_t round_from(const std::vector<Part>& parts, std::size_t first, std::int64_t most) {
  std::size_t end = first;
  std::vector<std::string> met;
  while (end < parts.size() && static_cast<std::int64_t>(end - first) < most) {
    if (std::ranges::find(met, parts[end].name.stream) != met.end()) break;
    met.push_back(parts[end++].name.stream);
  }
  return end;
}

/// Again and again until all are kept: the servers drop those they have.
std::vector<Receipt> deliver(Outbox& outbox, const std::vector<Message>& messages, Clock::duration patience) {
  for (const auto until = Clock::now() + patience;;) {
    try {
      for (const auto& message : messages) outbox.send(message);
      return outbox.settle();
    } catch (const Trouble& trouble) {
      if (Clock::now() >= until) throw;
      outbox.forget();
      std::this_thread::sleep_for(kPause);
    }
  }
}

}  // namespace

PublishReport publish(const Connection& connection, const FeatureStream& stream, const PublishSettings& settings,
                      const std::function<bool(std::int64_t, std::int64_t)>& keep_going) {
  const Index most = rows_that_fit(connection.max_payload(), stream.features.cols);
  if (most == 0)
    server::refuse(400,
                   fmt::format("one row of {} values does not fit a message: the servers take {} bytes (max_payload)",
                               stream.features.cols, connection.max_payload()));
  const auto batches = server::need(plan_batches(stream, settings.batches));
  const auto parts = parts_of(batches, stream, settings, most);
  PublishReport report;
  report.batches = static_cast<std::int64_t>(batches.size());
  Outbox outbox(connection);
  const auto start = Clock::now();
  for (std::size_t first = 0; first < parts.size();) {
    if (!keep_going(report.messages, static_cast<std::int64_t>(parts.size()))) break;
    // With a rate, a twentieth of a second's messages at a time.
    const std::int64_t at_once =
        settings.rate > 0 ? std::max<std::int64_t>(1, std::int64_t(settings.rate / 20)) : kRound;
    const std::size_t end = round_from(parts, first, std::min(at_once, kRound));
    std::vector<Message> messages;
    for (std::size_t i = first; i < end; ++i)
      messages.push_back(message_of(parts[i], stream, fmt::format("{}-{}", settings.run, i)));
    for (const auto& receipt : deliver(outbox, messages, settings.patience))
      report.repeated += receipt.is_repeated ? 1 : 0;
    for (; first < end; ++first, ++report.messages) report.rows += static_cast<std::int64_t>(parts[first].rows.size());
    if (settings.rate > 0)
      std::this_thread::sleep_until(start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                                static_cast<double>(report.messages) / settings.rate)));
  }
  report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return report;
}

}  // namespace stad::cluster
