#include "server/service/stream_administration.hpp"

#include <utility>

#include <fmt/format.h>

#include "server/service/write_and_wait.hpp"

namespace stad::server {

template <typename T, typename Function>
void StreamAdministration::with_known_stream(const StreamName& name, const Callback<T>& done, Function function) {
  scheduler_.submit(name, models_.find(name.model), done, [this, function = std::move(function)](Stream& stream) {
    checkpointer_.require_known(stream);
    function(stream);
  });
}

void StreamAdministration::inspect(const StreamName& name, const Callback<StreamReport>& done) {
  with_known_stream(name, done, [this, done](Stream& stream) {
    checkpointer_.load(stream);
    monitor_.publish_point(stream, StreamSession::PointSpan::kAny);  // the report includes the last batch
    const StreamSession& session = *stream.session;
    done(StreamReport{.name = stream.name(),
                      .model = stream.model(),
                      .batches = session.batches(),
                      .rows = session.rows(),
                      .is_saved = !stream.is_dirty && stream.pending_saves == 0,
                      .health = session.health(),
                      .shown_classes = session.shown_classes(),
                      .history = session.history().points()});
  });
}

void StreamAdministration::state(const StreamName& name, const Callback<std::string>& done) {
  with_known_stream(name, done, [this, done](Stream& stream) {
    checkpointer_.load(stream);
    done(stream.session->record(seconds_since_epoch()).state);
  });
}

void StreamAdministration::snapshot(const StreamName& name, std::string note, const Callback<std::int64_t>& done,
                                    const std::string& caller) {
  with_known_stream(name, done, [this, note = std::move(note), done, caller](Stream& stream) {
    checkpointer_.load(stream);
    const StreamName& kept = stream.name();
    write_snapshot(stream, stream.session->record(seconds_since_epoch()), note,
                   [this, kept, note, done, caller](Result<std::int64_t> id) {
                     if (!id) return done(AppError{id.error()});
                     monitor_.record_event(
                         new_event(kept, "snapshot",
                                   fmt::format("snapshot {} taken{}{}", *id, note.empty() ? "" : ": ", note), caller),
                         false, [done, taken = *id] { done(taken); });
                   });
  });
}

void StreamAdministration::write_snapshot(const Stream& stream, StreamRecord record, const std::string& note,
                                          std::function<void(Result<std::int64_t>)> done) {
  const bool is_served = stream.model()->if_served(
      [&] { store_.snapshot(stream.name(), std::move(record), note, kept_snapshots_, std::move(done)); });
  if (!is_served) stream.model()->check_is_served();
}

/// Makes the changes part of the state. A record that cannot be read stays as it is.
void StreamAdministration::apply_changes(const Stream& stream, StreamRecord& record) const {
  try {
    StreamSession session = checkpointer_.new_session(stream);
    session.restore(record);
    record = session.record(record.updated);
  } catch (const AppError&) {
  }
}

/// Requires exclusive access. Writes the state with its unsaved changes, which remain where the replacement fails. A
/// stored state that cannot be read is copied as it is. Throws AppError before anything is replaced.
void StreamAdministration::snapshot_current(Stream& stream, const std::string& note) {
  checkpointer_.drop_stale(stream);
  if (stream.session && stream.is_dirty) checkpointer_.save(stream.shared_from_this(), [](const Status&) {});
  auto current = stream.session ? stream.session->record(seconds_since_epoch()) : need(store_.load(stream.name()));
  if (!current) return;
  if (!current->changes.empty()) apply_changes(stream, *current);
  write_and_wait([&](const Store::Done& done) {
    write_snapshot(stream, *std::move(current), note,
                   [done](const Result<std::int64_t>& id) { done(id ? Status() : Status(id.error())); });
  });
}

/// Requires exclusive access. Replaces the session of the stream, after a snapshot of the current one.
void StreamAdministration::replace(Stream& stream, StreamSession session, Event event, const Callback<Done>& done) {
  snapshot_current(stream, "before " + event.kind);
  checkpointer_.replace(stream, std::move(session));
  checkpointer_.save(
      stream.shared_from_this(),
      [this, event = std::move(event), done](const Status& status) {
        if (!status) return done(AppError{status.error()});
        monitor_.record_event(event, false, [done] { done(Done{}); });
      },
      Checkpointer::FailedSave::kDiscard);
}

void StreamAdministration::roll_back(const StreamName& name, std::int64_t snapshot, const Callback<Done>& done,
                                     const std::string& caller) {
  with_known_stream(name, done, [this, snapshot, done, caller](Stream& stream) {
    const auto record = need(store_.snapshot(stream.name(), snapshot));
    if (!record) reject(404, fmt::format("snapshot {} of {} does not exist", snapshot, description_of(stream.name())));
    StreamSession session = checkpointer_.new_session(stream);
    session.restore(*record);
    replace(stream, std::move(session),
            new_event(stream.name(), "rollback", fmt::format("rolled back to snapshot {}", snapshot), caller), done);
  });
}

void StreamAdministration::reset(const StreamName& name, const Callback<Done>& done, const std::string& caller) {
  with_known_stream(name, done, [this, done, caller](Stream& stream) {
    replace(stream, checkpointer_.new_session(stream),
            new_event(stream.name(), "reset", "reset to the source classifier", caller), done);
  });
}

void StreamAdministration::restore(const StreamName& name, std::string state, const Callback<Done>& done,
                                   const std::string& caller) {
  scheduler_.submit(name, models_.find(name.model), done,
                    [this, state = std::move(state), done, caller](Stream& stream) {
                      StreamSession session = checkpointer_.new_session(stream);
                      session.restore_state(state);
                      replace(stream, std::move(session),
                              new_event(stream.name(), "restore", "restored from an uploaded state", caller), done);
                    });
}

void StreamAdministration::remove(const StreamName& name, const Callback<Done>& done, const std::string& caller) {
  with_known_stream(name, done, [this, done, caller](Stream& stream) {
    checkpointer_.remove(stream, [this, name = stream.name(), done, caller](const Status& status) {
      if (!status) return done(AppError{status.error()});
      monitor_.record_event(new_event(name, "delete", "deleted with its snapshots", caller), false,
                            [done] { done(Done{}); });
    });
  });
}

}  // namespace stad::server
