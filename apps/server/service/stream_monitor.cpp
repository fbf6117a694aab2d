#include "server/service/stream_monitor.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "serving/log.hpp"

namespace stad::server {
namespace {

/// Rows of a stream before its warning level counts: the memory of the level. Of fewer rows it is mostly noise, above
/// all where they are sorted by class.
constexpr std::int64_t kJudgedRows = 500;

PrototypeGeometry geometry_of(const HistoryPoint& point) {
  PrototypeGeometry geometry{
      .rows = static_cast<double>(point.rows), .shift = std::nullopt, .dispersion = point.dispersion};
  const auto& movement = point.movement;
  if (!movement.empty())
    geometry.shift = std::accumulate(movement.begin(), movement.end(), 0.0) / static_cast<double>(movement.size());
  return geometry;
}

}  // namespace

void StreamMonitor::count_step(const Stream& stream, const StepSums& step) {
  ++stream.model()->batches;
  stream.model()->rows += static_cast<std::int64_t>(step.rows);
  metrics_.count_step(stream.name().model, step);
}

void StreamMonitor::publish_point(Stream& stream, StreamSession::PointSpan span) {
  const StreamName& name = stream.name();
  const auto current = stream.session->last_batch().warning;
  const auto warning = stream.session->rows() < kJudgedRows ? std::nullopt : current;
  const auto before = stream.warning.exchange(warning);
  if (warning == Warning::kAct && before != Warning::kAct)  // metrics do not name the stream
    log(LogLevel::kWarning, "the accuracy of the source has probably fallen",
        {{"model", name.model}, {"stream", name.stream}});
  const auto point = stream.session->close_point(seconds_since_epoch(), span);
  if (!point) return;
  metrics_.update_geometry(name.model, geometry_of(*point));
  subscribers_.publish(name, *point);
}

void StreamMonitor::record_event(Event event, bool of_whole_model, std::function<void()> then) {
  audit(event.detail,
        {{"model", event.name.model}, {"stream", event.name.stream}, {"kind", event.kind}, {"caller", event.caller}});
  // Subscribers request the list of events, which must hold the event by then.
  const auto publish = [this, event, of_whole_model, then = std::move(then)](const Status&) {
    subscribers_.publish(event, of_whole_model);
    then();
  };
  store_.add_event(std::move(event), publish);
}

std::optional<Warning> StreamMonitor::worst_warning(const std::string& model) const {
  std::optional<Warning> worst;  // less than any level
  for (const auto& stream : scheduler_.of_model(model)) worst = std::max(worst, stream->warning.load());
  return worst;
}

/// Once a second, for streams with subscribers: publishes points of streams that receive no requests any more.
void StreamMonitor::publish_due_points() {
  for (const auto& name : subscribers_.streams())
    scheduler_.submit_if_present(name, [this](Stream& stream) {
      if (stream.session && !stream.is_stale()) publish_point(stream);
    });
  pool_.run_at(TaskPool::Clock::now() + std::chrono::seconds(1), [this] { publish_due_points(); });
}

}  // namespace stad::server
