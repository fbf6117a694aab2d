#include "server/service/checkpointer.hpp"

#include <utility>

#include <fmt/format.h>

#include "serving/log.hpp"

namespace stad::server {
namespace {

constexpr int kParallelSaves = 32;         // bounds the memory of serialized states
constexpr std::size_t kEvictionScan = 64;  // candidates of one eviction

/// Of a clock that is never set, for ages.
double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string description_of(const StreamName& name) {
  return name.stream.empty() ? fmt::format("the default stream of {}", name.model)
                             : fmt::format("stream {} of {}", name.stream, name.model);
}

Checkpointer::Checkpointer(CheckpointSettings settings, Store& store, Scheduler& scheduler, TaskPool& pool,
                           Quarantine::OnDamage on_damage)
    : settings_(settings),
      store_(store),
      scheduler_(scheduler),
      pool_(pool),
      quarantine_(store, std::move(on_damage)) {}

void Checkpointer::start() {
  if (settings_.durability == Durability::kInterval) schedule_round();
}

void Checkpointer::schedule_round() {
  pool_.run_at(TaskPool::Clock::now() + settings_.interval, [this] { save_dirty(); });
}

void Checkpointer::stop() {
  (void)store_.flush();  // clears earlier failures: a disk that was full may have space now
  int started = 0;
  for (const auto& stream : scheduler_.streams()) {
    if (!stream->session || !stream->is_dirty || stream->is_stale()) continue;
    save(stream, [](const Status&) {});
    if (++started % kParallelSaves == 0 && !store_.flush()) return;  // the caller reports the failure
  }
}

void Checkpointer::require_known(Stream& stream) {
  drop_stale(stream);
  const StreamName& name = stream.name();
  if (!stream.session && !need(store_.load(name)))
    reject(404, fmt::format("{} does not exist: it has not received any batch", description_of(name)));
}

void Checkpointer::load(Stream& stream) {
  drop_stale(stream);
  if (stream.session) return;
  quarantine_.check(stream.name());
  const auto record = need(store_.load(stream.name()));
  StreamSession session = new_session(stream);
  if (record) quarantine_.restore(stream.name(), session, *record);
  replace(stream, std::move(session));
}

void Checkpointer::drop_stale(Stream& stream) {
  if (stream.is_stale()) unload(stream);
}

StreamSession Checkpointer::new_session(const Stream& stream) const {
  stream.model()->check_is_served();
  return {stream.model(), settings_.kept_answers, settings_.durability == Durability::kBatch};
}

void Checkpointer::replace(Stream& stream, StreamSession session) {
  stream.session = std::move(session);
  stream.session_generation = stream.generation;
  quarantine_.release(stream.name());
  stream.warning = std::nullopt;
  count_bytes(stream);
}

void Checkpointer::changed(const StreamPointer& stream, Store::Done done) {
  count_bytes(*stream);
  if (settings_.durability == Durability::kBatch)
    return save(stream, std::move(done), FailedSave::kDiscard, Content::kChanges);
  mark_dirty(stream);
  done({});
}

void Checkpointer::mark_dirty(const StreamPointer& stream) {
  if (std::exchange(stream->is_dirty, true) || settings_.durability != Durability::kInterval) return;
  const std::scoped_lock lock(mutex_);
  if (dirty_.empty()) dirty_since_ = steady_seconds();
  dirty_.push_back(stream);
}

void Checkpointer::after_pending_saves(const StreamPointer& stream, Store::Done done) {
  const bool has_pending =
      settings_.durability == Durability::kBatch && (stream->is_dirty || stream->pending_saves > 0);
  if (has_pending) return save(stream, std::move(done), FailedSave::kDiscard, Content::kChanges);
  done({});
}

/// A session that could not be written becomes dirty again, so that the next round writes it, or is discarded together
/// with the changes that were made to it since: their saves do not meet the condition any more.
void Checkpointer::save(const StreamPointer& stream, Store::Done done, FailedSave failed_save, Content content) {
  stream->is_dirty = false;
  ++stream->pending_saves;
  const std::int64_t generation = stream->session_generation;
  const auto finish = [this, stream, generation, failed_save, done = std::move(done)](const Status& status) {
    record_outcome(!status);
    if (!status && failed_save == FailedSave::kRetry) {
      retry_save(stream, status.error().message);
    } else {
      if (!status) discard(*stream, generation, status.error().message);
      --stream->pending_saves;
    }
    done(status);
  };
  const auto is_current = [stream, generation] { return stream->generation == generation; };
  try {
    StreamSession& session = *stream->session;
    const double now = seconds_since_epoch();
    StreamRecord record = content == Content::kState ? session.next_whole_record(now) : session.next_record(now);
    count_bytes(*stream);
    const bool is_served =
        stream->model()->if_served([&] { store_.save(stream->name(), std::move(record), finish, is_current); });
    if (!is_served) finish({});
  } catch (const AppError& failure) {
    finish(failed(failure.error.message));
  }
}

void Checkpointer::log_failure(const char* message, const std::string& reason) {
  if (const auto suppressed = failure_log_.admit())
    log(LogLevel::kError, message, {{"reason", reason}, {"suppressed", std::to_string(*suppressed)}});
}

void Checkpointer::discard(Stream& stream, std::int64_t generation, const std::string& reason) {
  if (!stream.generation.compare_exchange_strong(generation, generation + 1)) return;  // a later change, see save()
  log_failure("a change could not be saved and is undone", reason);
}

/// The save stays pending until the stream is dirty again, so that the change never appears to be on disk.
void Checkpointer::retry_save(const StreamPointer& stream, const std::string& reason) {
  log_failure("a stream could not be saved", reason);
  const auto mark = [this, stream](Stream& held) {
    if (&held == stream.get() && held.session && !held.is_stale()) mark_dirty(stream);
    --stream->pending_saves;
  };
  if (!scheduler_.submit_if_present(stream->name(), mark)) --stream->pending_saves;
}

void Checkpointer::record_outcome(bool has_failed) {
  const std::scoped_lock lock(mutex_);
  if (!has_failed)
    failing_since_ = 0;
  else if (failing_since_ == 0)
    failing_since_ = saving_since_ > 0 ? saving_since_ : steady_seconds();
}

/// Updates the memory of the stream and evicts others if the total exceeds the limit.
void Checkpointer::count_bytes(Stream& stream) {
  const std::int64_t bytes = stream.session ? stream.session->bytes() : 0;
  const std::int64_t before = std::exchange(stream.counted_bytes, bytes);
  resident_bytes_ += bytes - before;
  if (bytes > before) evict();
}

/// Until the record is deleted, later tasks must not load it: the stream stays in memory with an empty session.
void Checkpointer::remove(Stream& stream, Store::Done done) {
  replace(stream, new_session(stream));
  stream.is_dirty = false;
  ++stream.pending_saves;
  store_.remove(stream.name(), [this, held = stream.shared_from_this(), done = std::move(done)](const Status& status) {
    --held->pending_saves;
    scheduler_.submit_if_present(held->name(), [this, held](Stream& present) {
      if (&present == held.get()) unload_if_empty(present);
    });
    done(status);
  });
}

void Checkpointer::unload_if_empty(Stream& stream) {
  const bool is_empty = stream.session && stream.session->batches() == 0;
  if (is_empty && !stream.is_dirty && stream.pending_saves == 0) unload(stream);
}

void Checkpointer::unload(Stream& stream) {
  if (!stream.session) return;
  stream.session.reset();
  stream.is_dirty = false;
  count_bytes(stream);
}

double Checkpointer::unsaved_age() const {
  const std::scoped_lock lock(mutex_);
  const bool is_saving = active_savers_ > 0;
  if (failing_since_ == 0 && !is_saving && dirty_.empty()) return 0;
  return steady_seconds() - (failing_since_ > 0 ? failing_since_ : is_saving ? saving_since_ : dirty_since_);
}

/// One round saves every changed stream, in 32 parallel chains of saves, so that serialized states do not accumulate
/// with a slow disk.
void Checkpointer::save_dirty() {
  {
    const std::scoped_lock lock(mutex_);
    if (dirty_.empty()) return schedule_round();
    saving_ = std::exchange(dirty_, {});
    saving_since_ = dirty_since_;
    active_savers_ = kParallelSaves;
  }
  for (int i = 0; i < kParallelSaves; ++i) save_next();
}

void Checkpointer::save_next() {
  while (const StreamPointer stream = next_unsaved()) {
    const bool is_present = scheduler_.submit_if_present(stream->name(), [this, stream](Stream& held) {
      if (&held == stream.get() && held.session && held.is_dirty)
        save(stream, [this](const Status&) { save_next(); });
      else
        save_next();
    });
    if (is_present) return;
  }
}

/// Null: the chain has ended; the last one schedules the next round.
StreamPointer Checkpointer::next_unsaved() {
  const std::scoped_lock lock(mutex_);
  if (saving_.empty()) {
    if (--active_savers_ == 0) schedule_round();
    return nullptr;
  }
  StreamPointer stream = std::move(saving_.back());
  saving_.pop_back();
  return stream;
}

/// Evicts the least recently used idle streams until the rest fits.
void Checkpointer::evict() {
  if (resident_bytes_ - leaving_bytes_ <= settings_.memory) return;
  for (const auto& stream : scheduler_.oldest_idle(kEvictionScan)) {
    if (resident_bytes_ - leaving_bytes_ <= settings_.memory) return;
    leaving_bytes_ += stream->model()->stream_bytes();
    const bool present = scheduler_.submit_if_present(stream->name(), [this, stream](Stream& held) {
      if (&held == stream.get() && held.session) unload_when_saved(stream);
      leaving_bytes_ -= stream->model()->stream_bytes();
    });
    if (!present) leaving_bytes_ -= stream->model()->stream_bytes();
  }
}

/// Unloads the stream once all of it is on disk. Where it changes meanwhile it stays, and another one is evicted.
void Checkpointer::unload_when_saved(const StreamPointer& stream) {
  if (!stream->is_dirty && stream->pending_saves == 0) return unload(*stream);
  save(stream, [this, stream](const Status& status) {
    if (!status) return;
    scheduler_.submit_if_present(stream->name(), [this, stream](Stream& held) {
      if (&held != stream.get()) return;
      held.is_dirty || held.pending_saves > 0 ? evict() : unload(held);
    });
  });
}

}  // namespace stad::server
