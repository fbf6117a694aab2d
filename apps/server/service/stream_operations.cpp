// Administrative operations of the service on streams and models.
#include <future>
#include <utility>

#include <fmt/format.h>

#include <stad/files.hpp>

#include "server/service/model_json.hpp"
#include "server/service/service.hpp"
#include "serving/log.hpp"

namespace stad::server {
namespace {

std::string description_of(const StreamName& name) {
  return name.stream.empty() ? fmt::format("the default stream of {}", name.model)
                             : fmt::format("stream {} of {}", name.stream, name.model);
}

/// Starts a write and waits until it is on disk. Throws AppError where it fails.
template <typename Write>
void write_and_wait(Write write) {
  const auto written = std::make_shared<std::promise<Status>>();
  write([written](const Status& status) { written->set_value(status); });
  need(written->get_future().get());
}

}  // namespace

template <typename T, typename Function>
void Service::with_known_stream(const StreamName& name, const Callback<T>& done, Function function) {
  submit_task(name, done, [this, function = std::move(function)](Stream& stream) {
    checkpointer_.drop_stale(stream);
    const bool is_known = stream.session || need(store_->load(stream.name()));
    if (!is_known) reject(404, description_of(stream.name()) + " does not exist: it has not received any batch");
    function(stream);
  });
}

template <typename T, typename Function>
void Service::submit_task(const StreamName& name, const Callback<T>& done, Function function) {
  const ModelPointer model = models_.find(name.model);
  const auto task = [done, function = std::move(function)](Stream& stream) {
    try {
      function(stream);
    } catch (const AppError& failure) {
      done(failure);
    } catch (const std::exception& error) {
      done(http_error(500, std::string("internal error: ") + error.what()));
    }
  };
  streams_.submit(name, model, StreamTask(task), Streams::Execution::kPool);
}

void Service::observe(const StreamName& name, std::vector<std::int64_t> ids, std::vector<std::int64_t> labels,
                      const Callback<Observed>& done) {
  with_known_stream(name, done, [this, ids = std::move(ids), labels = std::move(labels), done](Stream& stream) {
    checkpointer_.load(stream);
    const Observed observed = stream.session->observe(ids, labels);
    checkpointer_.changed(stream.shared_from_this(), [done, observed](const Status& status) {
      done(status ? Outcome<Observed>(observed) : Outcome<Observed>(AppError{status.error()}));
    });
  });
}

void Service::inspect(const StreamName& name, const Callback<StreamReport>& done) {
  with_known_stream(name, done, [this, done](Stream& stream) {
    checkpointer_.load(stream);
    publish_point(stream, StreamSession::PointSpan::kAny);  // the report includes the last batch
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

void Service::state(const StreamName& name, const Callback<std::string>& done) {
  with_known_stream(name, done, [this, done](Stream& stream) {
    checkpointer_.load(stream);
    done(stream.session->record(seconds_since_epoch()).state);
  });
}

void Service::snapshot(const StreamName& name, std::string note, const Callback<std::int64_t>& done,
                       const std::string& caller) {
  with_known_stream(name, done, [this, note = std::move(note), done, caller](Stream& stream) {
    checkpointer_.load(stream);
    const StreamName& kept = stream.name();
    write_snapshot(stream, stream.session->record(seconds_since_epoch()), note,
                   [this, kept, note, done, caller](Result<std::int64_t> id) {
                     if (!id) return done(AppError{id.error()});
                     record_event(
                         new_event(kept, "snapshot",
                                   fmt::format("snapshot {} taken{}{}", *id, note.empty() ? "" : ": ", note), caller),
                         false, [done, taken = *id] { done(taken); });
                   });
  });
}

void Service::write_snapshot(const Stream& stream, StreamRecord record, const std::string& note,
                             std::function<void(Result<std::int64_t>)> done) {
  const bool is_served = stream.model()->if_served(
      [&] { store_->snapshot(stream.name(), std::move(record), note, settings_.kept_snapshots, std::move(done)); });
  if (!is_served) stream.model()->check_is_served();
}

/// Requires exclusive access. Writes the state with its unsaved changes, which remain where the replacement fails. A
/// stored state that cannot be read is copied as it is. Throws AppError before anything is replaced.
void Service::snapshot_current(Stream& stream, const std::string& note) {
  checkpointer_.drop_stale(stream);
  if (stream.session && stream.is_dirty) checkpointer_.save(stream.shared_from_this(), [](const Status&) {});
  auto current = stream.session ? stream.session->record(seconds_since_epoch()) : need(store_->load(stream.name()));
  if (!current) return;
  write_and_wait([&](const Store::Done& done) {
    write_snapshot(stream, *std::move(current), note,
                   [done](const Result<std::int64_t>& id) { done(id ? Status() : Status(id.error())); });
  });
}

/// Requires exclusive access. Replaces the session of the stream, after a snapshot of the current one.
void Service::replace(Stream& stream, StreamSession session, Event event, const Callback<Done>& done) {
  snapshot_current(stream, "before " + event.kind);
  checkpointer_.replace(stream, std::move(session));
  checkpointer_.save(
      stream.shared_from_this(),
      [this, event = std::move(event), done](const Status& status) {
        if (!status) return done(AppError{status.error()});
        record_event(event, false, [done] { done(Done{}); });
      },
      Checkpointer::FailedSave::kDiscard);
}

void Service::roll_back(const StreamName& name, std::int64_t snapshot, const Callback<Done>& done,
                        const std::string& caller) {
  with_known_stream(name, done, [this, snapshot, done, caller](Stream& stream) {
    const auto record = need(store_->snapshot(stream.name(), snapshot));
    if (!record) reject(404, fmt::format("snapshot {} of {} does not exist", snapshot, description_of(stream.name())));
    StreamSession session = checkpointer_.new_session(stream);
    session.restore(*record);
    replace(stream, std::move(session),
            new_event(stream.name(), "rollback", fmt::format("rolled back to snapshot {}", snapshot), caller), done);
  });
}

void Service::reset(const StreamName& name, const Callback<Done>& done, const std::string& caller) {
  with_known_stream(name, done, [this, done, caller](Stream& stream) {
    replace(stream, checkpointer_.new_session(stream),
            new_event(stream.name(), "reset", "reset to the source classifier", caller), done);
  });
}

void Service::restore(const StreamName& name, std::string state, const Callback<Done>& done,
                      const std::string& caller) {
  submit_task(name, done, [this, state = std::move(state), done, caller](Stream& stream) {
    StreamSession session = checkpointer_.new_session(stream);
    session.restore_state(state);
    replace(stream, std::move(session), new_event(stream.name(), "restore", "restored from an uploaded state", caller),
            done);
  });
}

void Service::remove(const StreamName& name, const Callback<Done>& done, const std::string& caller) {
  with_known_stream(name, done, [this, done, caller](Stream& stream) {
    checkpointer_.remove(stream, [this, name = stream.name(), done, caller](const Status& status) {
      if (!status) return done(AppError{status.error()});
      record_event(new_event(name, "delete", "deleted with its snapshots", caller), false, [done] { done(Done{}); });
    });
  });
}

void Service::set_mode(const std::string& model, Mode mode, const std::string& caller) {
  const std::scoped_lock lock(changing_models_);
  const ModelPointer served = models_.find(model);
  // For a configured model only the mode is stored.
  ModelRecord record{.name = model, .specification = "", .source = ""};
  for (auto& kept : need(store_->models()))
    if (kept.name == model) record.source = std::move(kept.source);
  ModelSpecification specification = served->specification();
  specification.mode = mode;
  record.specification = specification_json(specification);
  write_and_wait([&](Store::Done done) { store_->save_model(std::move(record), std::move(done)); });
  served->set_mode(mode);
  record_model_event(model, "mode", fmt::format("mode is {} now", name_of(mode)), caller);
}

void Service::serve(const ModelPointer& model) {
  models_.add(model);
  metrics_.add_model(model->name());
}

void Service::add_model(const ModelPointer& model, const std::string& source, const std::string& caller) {
  const std::scoped_lock lock(changing_models_);
  serve(model);
  try {
    write_and_wait([&](Store::Done done) {
      store_->save_model({model->name(), specification_json(model->specification()), source}, std::move(done));
    });
  } catch (const AppError&) {
    retire(*model);
    unregister(model->name());
    throw;
  }
  record_model_event(model->name(), "model", fmt::format("model {} added", model->name()), caller);
}

void Service::remove_model(const std::string& model, const std::string& caller) {
  const std::scoped_lock lock(changing_models_);
  retire(*models_.find(model));
  write_and_wait([&](Store::Done done) { store_->remove_model(model, std::move(done)); });
  unregister(model);  // last: the name becomes free once nothing of the model is left
  record_model_event(model, "model", fmt::format("model {} removed with its streams", model), caller);
}

/// Requests that hold the model are rejected from now on; its streams leave memory after their current task.
void Service::retire(ServedModel& model) {
  model.retire();
  for (const auto& stream : streams_.table().of_model(model.name()))
    streams_.submit_if_present(stream->name(), [this](Stream& retired) { checkpointer_.unload(retired); });
}

void Service::unregister(const std::string& model) {
  checkpointer_.quarantine().release_model(model);
  metrics_.remove_model(model);
  models_.remove(model);
}

void Service::record_model_event(const std::string& model, std::string kind, std::string detail,
                                 const std::string& caller) {
  write_and_wait([&](const Store::Done& done) {
    record_event(new_event({model, ""}, std::move(kind), std::move(detail), caller), true, [done] { done({}); });
  });
}

void Service::restore_models() {
  for (const auto& record : need(store_->models())) {
    auto specification = parse_specification(record.specification);
    if (const ModelPointer configured = models_.find_or_null(record.name)) {
      if (!record.source.empty())
        log(LogLevel::kWarning, "a configured model replaces one that was added", {{"model", record.name}});
      if (configured->mode() != specification.mode)
        log(LogLevel::kWarning, "the mode that was set last overrides the configuration",
            {{"model", record.name}, {"mode", std::string(name_of(specification.mode))}});
      configured->set_mode(specification.mode);
      continue;
    }
    if (record.source.empty()) continue;  // the mode of a model that is no longer configured
    try {
      const SourceModel source = need(source_from_bytes(record.source));
      serve(need(ServedModel::create(std::move(specification), source)));
    } catch (const AppError& failure) {  // its method has lost an option: the others are served
      log(LogLevel::kError, "a model that was added cannot be served; add it again with options of this version",
          {{"model", record.name}, {"reason", failure.error.message}});
    }
  }
}

}  // namespace stad::server
