#include "server/serving/keeper.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "server/telemetry/log.hpp"

namespace stad::server {
namespace {

constexpr std::array kDurabilityNames{std::string_view("batch"), std::string_view("interval"),
                                      std::string_view("none")};
constexpr int kSavesAtOnce = 32;           // states that wait in memory to be written at intervals
constexpr std::size_t kParkedAtOnce = 64;  // streams looked at when there is no room

}  // namespace

std::string_view name_of(Durability durability) { return kDurabilityNames[static_cast<std::size_t>(durability)]; }

Durability durability_of(std::string_view name) {
  const auto found = std::find(kDurabilityNames.begin(), kDurabilityNames.end(), name);
  if (found == kDurabilityNames.end())
    refuse(400, fmt::format("durability is '{}', must be batch, interval or none", name));
  return static_cast<Durability>(found - kDurabilityNames.begin());
}

double now_in_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Keeper::Keeper(KeepingSettings settings, Store& store, Streams& streams, Crew& crew)
    : settings_(settings), store_(store), streams_(streams), crew_(crew) {}

void Keeper::start() {
  if (settings_.durability == Durability::kInterval) begin_next_round();
}

void Keeper::begin_next_round() {
  crew_.run_at(Crew::Clock::now() + settings_.interval, [this] { save_dirty(); });
}

void Keeper::stop() {
  (void)store_.flush();  // says what failed before; a disk that was full then may have room now
  int asked = 0;
  for (const auto& stream : streams_.table().oldest(streams_.table().size())) {
    if (!stream->learner || !stream->is_dirty) continue;
    save(stream, [](const Status&) {});
    if (++asked % kSavesAtOnce == 0 && !store_.flush()) return;  // what cannot be written is told once
  }
}

void Keeper::load(Stream& stream) {
  if (stream.learner) return;
  const auto record = need(store_.load(stream.name()));
  Learner learner = new_learner(stream);
  if (record) learner.restore(*record);
  put(stream, std::move(learner));
}

Learner Keeper::new_learner(const Stream& stream) const {
  stream.model()->check_is_served();
  return {stream.model(), settings_.kept_answers};
}

void Keeper::put(Stream& stream, Learner learner) {
  stream.learner = std::move(learner);
  count_bytes(stream);
}

void Keeper::changed(const StreamPointer& stream, Store::Done told) {
  count_bytes(*stream);
  if (settings_.durability == Durability::kBatch) return save(stream, std::move(told));
  mark_dirty(stream);
  told({});
}

/// With the turn.
void Keeper::mark_dirty(const StreamPointer& stream) {
  if (std::exchange(stream->is_dirty, true) || settings_.durability != Durability::kInterval) return;
  const std::scoped_lock lock(mutex_);
  if (dirty_.empty()) dirty_since_ = now_in_seconds();
  dirty_.push_back(stream);
}

void Keeper::depended_on(const StreamPointer& stream, Store::Done told) {
  const bool is_waited_for =
      settings_.durability == Durability::kBatch && (stream->is_dirty || stream->saves_under_way > 0);
  if (is_waited_for) return save(stream, std::move(told));
  told({});
}

/// With the turn. What fails to be written is dirty again, so that the next one writes it.
void Keeper::save(const StreamPointer& stream, Store::Done done) {
  stream->is_dirty = false;
  ++stream->saves_under_way;
  const auto finish = [this, stream, done = std::move(done)](const Status& status) {
    tell_failure(!status);
    status ? void(--stream->saves_under_way) : save_again(stream, status.error().message);
    done(status);
  };
  try {
    StreamRecord record = stream->learner->record(now_in_seconds());
    count_bytes(*stream);
    const bool is_served =
        stream->model()->while_served([&] { store_.save(stream->name(), std::move(record), finish); });
    if (!is_served) finish({});
  } catch (const Refusal& refusal) {
    finish(failed(refusal.message));
  }
}

/// The save counts as under way until the stream is dirty again: at no moment does it look as if it were on disk.
void Keeper::save_again(const StreamPointer& stream, const std::string& reason) {
  log(LogLevel::kError, "a stream could not be saved", {{"reason", reason}});
  const auto mark = [this, stream](Stream& held) {
    if (&held == stream.get() && held.learner) mark_dirty(stream);
    --stream->saves_under_way;
  };
  if (!streams_.submit_if_present(stream->name(), mark)) --stream->saves_under_way;
}

void Keeper::tell_failure(bool has_failed) {
  const std::scoped_lock lock(mutex_);
  if (!has_failed)
    failing_since_ = 0;
  else if (failing_since_ == 0)
    failing_since_ = saving_since_ > 0 ? saving_since_ : now_in_seconds();
}

/// With the turn: what the stream takes, and others leave if that is too much.
void Keeper::count_bytes(Stream& stream) {
  const std::int64_t bytes = stream.learner ? stream.learner->bytes() : 0;
  const std::int64_t before = std::exchange(stream.counted_bytes, bytes);
  resident_bytes_ += bytes - before;
  if (bytes > before) make_room();
}

/// Until it is gone from the disk, what comes next must not find it there: the stream stays in memory and has learned
/// nothing.
void Keeper::remove(Stream& stream, Store::Done done) {
  put(stream, new_learner(stream));
  stream.is_dirty = false;
  ++stream.saves_under_way;
  store_.remove(stream.name(), [this, held = stream.shared_from_this(), done = std::move(done)](const Status& status) {
    --held->saves_under_way;
    streams_.submit_if_present(held->name(), [this, held](Stream& present) {
      if (&present == held.get()) unload_if_empty(present);
    });
    done(status);
  });
}

void Keeper::unload_if_empty(Stream& stream) {
  const bool is_empty = stream.learner && stream.learner->batches() == 0;
  if (is_empty && !stream.is_dirty && stream.saves_under_way == 0) unload(stream);
}

void Keeper::unload(Stream& stream) {
  if (!stream.learner) return;
  stream.learner.reset();
  stream.is_dirty = false;
  count_bytes(stream);
}

double Keeper::unsaved_age() const {
  const std::scoped_lock lock(mutex_);
  const bool is_saving = saves_under_way_ > 0;
  if (failing_since_ == 0 && !is_saving && dirty_.empty()) return 0;
  return now_in_seconds() - (failing_since_ > 0 ? failing_since_ : is_saving ? saving_since_ : dirty_since_);
}

/// One round: every stream that has changed, a few at a time, so that states do not pile up before a slow disk.
void Keeper::save_dirty() {
  {
    const std::scoped_lock lock(mutex_);
    if (dirty_.empty()) return begin_next_round();
    saving_ = std::exchange(dirty_, {});
    saving_since_ = dirty_since_;
    saves_under_way_ = kSavesAtOnce;
  }
  for (int i = 0; i < kSavesAtOnce; ++i) save_next();
}

void Keeper::save_next() {
  while (const StreamPointer stream = take_unsaved()) {
    const bool is_present = streams_.submit_if_present(stream->name(), [this, stream](Stream& held) {
      if (&held == stream.get() && held.learner && held.is_dirty)
        save(stream, [this](const Status&) { save_next(); });
      else
        save_next();
    });
    if (is_present) return;
  }
}

/// None: the round is over for this one; with the last of them the next round is due.
StreamPointer Keeper::take_unsaved() {
  const std::scoped_lock lock(mutex_);
  if (saving_.empty()) {
    if (--saves_under_way_ == 0) begin_next_round();
    return nullptr;
  }
  StreamPointer stream = std::move(saving_.back());
  saving_.pop_back();
  return stream;
}

/// Asks the least recently used streams to leave until the rest fits.
void Keeper::make_room() {
  if (resident_bytes_ - leaving_bytes_ <= settings_.memory) return;
  for (const auto& stream : streams_.table().oldest(kParkedAtOnce)) {
    if (resident_bytes_ - leaving_bytes_ <= settings_.memory) return;
    if (!stream->queue.is_idle()) continue;
    leaving_bytes_ += stream->model()->stream_bytes();
    const bool present = streams_.submit_if_present(stream->name(), [this, stream](Stream& held) {
      if (&held == stream.get() && held.learner) park(stream);
      leaving_bytes_ -= stream->model()->stream_bytes();
    });
    if (!present) leaving_bytes_ -= stream->model()->stream_bytes();
  }
}

/// With the turn. A stream leaves memory only when all of it is on disk; one that learns more in between stays, and
/// another is asked.
void Keeper::park(const StreamPointer& stream) {
  if (!stream->is_dirty && stream->saves_under_way == 0) return unload(*stream);
  save(stream, [this, stream](const Status& status) {
    if (!status) return;
    streams_.submit_if_present(stream->name(), [this, stream](Stream& held) {
      if (&held != stream.get()) return;
      held.is_dirty || held.saves_under_way > 0 ? make_room() : unload(held);
    });
  });
}

}  // namespace stad::server
