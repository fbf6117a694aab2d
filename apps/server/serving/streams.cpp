#include "server/serving/streams.hpp"

#include <utility>

namespace stad::server {
namespace {

constexpr int kErrandsInARow = 32;  // before another stream gets the thread

}  // namespace

void Streams::submit(const StreamName& name, const ModelPointer& model, Errand errand, Place place) {
  const auto [stream, has_turn] = table_.push(name, model, std::move(errand));
  if (!has_turn) return;
  if (place == Place::kHere && stream->learner)
    work(stream, 1);
  else
    work_elsewhere(stream);
}

bool Streams::submit_if_present(const StreamName& name, OtherErrand errand) {
  const auto [stream, has_turn] = table_.push_if_present(name, std::move(errand));
  if (has_turn) work_elsewhere(stream);
  return stream != nullptr;
}

void Streams::work_elsewhere(const StreamPointer& stream) {
  crew_.run([this, stream] { work(stream, kErrandsInARow); });
}

void Streams::work_later(const StreamPointer& stream, ErrandQueue::Clock::time_point due, std::uint64_t ticket) {
  crew_.run_at(due, [this, stream, ticket] {
    if (stream->queue.take_up(ticket)) work(stream, kErrandsInARow);
  });
}

/// Whoever does the errands of a stream others keep sending to would never be done: after some it passes the turn on.
void Streams::work(const StreamPointer& stream, int errands) {
  while (true) {
    if (errands-- <= 0 && !stream->queue.is_empty()) return work_elsewhere(stream);
    const bool is_parked = !stream->learner;  // asked while the turn is ours
    auto next = stream->queue.next();
    if (next.wait_until) return work_later(stream, *next.wait_until, next.ticket);
    if (next.other)
      next.other(*stream);
    else if (!next.requests.empty())
      answer_requests_(stream, std::move(next.requests));
    else
      return is_parked ? table_.remove_if_empty(stream) : void();
  }
}

void Streams::forget_errands() {
  for (const auto& stream : table_.oldest(table_.size())) stream->queue.clear();
}

}  // namespace stad::server
