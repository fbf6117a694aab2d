// What people do to streams and models of the service: look, keep, go back, begin anew.
#include <future>
#include <utility>

#include <fmt/format.h>

#include <stad/files.hpp>

#include "server/serving/model_json.hpp"
#include "server/serving/service.hpp"
#include "server/telemetry/log.hpp"

namespace stad::server {
namespace {

std::string words_for(const StreamName& name) {
  return name.stream.empty() ? fmt::format("the default stream of {}", name.model)
                             : fmt::format("stream {} of {}", name.stream, name.model);
}

/// Until it is on disk. Throws Refusal where it cannot be.
template <typename Write>
void wait_for(Write write) {
  const auto written = std::make_shared<std::promise<Status>>();
  write([written](const Status& status) { written->set_value(status); });
  need(written->get_future().get());
}

}  // namespace

template <typename T, typename Work>
void Service::with_stream(const StreamName& name, Tell<T> tell, Work work) {
  submit_to(name, tell, [this, work = std::move(work)](Stream& stream) {
    const bool is_known = stream.learner || need(store_->load(stream.name()));
    if (!is_known) refuse(404, words_for(stream.name()) + " is not known: nothing was learned from it yet");
    work(stream);
  });
}

template <typename T, typename Work>
void Service::submit_to(const StreamName& name, Tell<T> tell, Work work) {
  const ModelPointer model = models_.find(name.model);
  const auto errand = [tell, work = std::move(work)](Stream& stream) {
    try {
      work(stream);
    } catch (const Refusal& refusal) {
      tell(refusal);
    } catch (const std::exception& bug) {
      tell(Refusal{500, std::string("the service failed: ") + bug.what()});
    }
  };
  streams_.submit(name, model, OtherErrand(errand), Streams::Place::kElsewhere);
}

void Service::observe(const StreamName& name, std::vector<std::int64_t> ids, std::vector<std::int64_t> labels,
                      Tell<Observed> tell) {
  with_stream(name, tell, [this, ids = std::move(ids), labels = std::move(labels), tell](Stream& stream) {
    keeper_.load(stream);
    const Observed observed = stream.learner->observe(ids, labels);
    keeper_.changed(stream.shared_from_this(), [tell, observed](const Status& status) {
      tell(status ? Outcome<Observed>(observed) : Outcome<Observed>(refusal_of(status.error())));
    });
  });
}

void Service::inspect(const StreamName& name, Tell<StreamReport> tell) {
  with_stream(name, tell, [this, tell](Stream& stream) {
    keeper_.load(stream);
    const Learner& learner = *stream.learner;
    tell(StreamReport{.name = stream.name(),
                      .model = stream.model(),
                      .batches = learner.batches(),
                      .rows = learner.rows(),
                      .is_saved = !stream.is_dirty && stream.saves_under_way == 0,
                      .health = learner.health(),
                      .shown_classes = learner.shown_classes(),
                      .history = learner.history().points()});
  });
}

void Service::state(const StreamName& name, Tell<std::string> tell) {
  with_stream(name, tell, [this, tell](Stream& stream) {
    keeper_.load(stream);
    tell(stream.learner->record(now_in_seconds()).state);
  });
}

void Service::snapshot(const StreamName& name, std::string why, Tell<std::int64_t> tell) {
  with_stream(name, tell, [this, why = std::move(why), tell](Stream& stream) {
    keeper_.load(stream);
    const StreamName& kept = stream.name();
    keep_snapshot(stream, stream.learner->record(now_in_seconds()), why,
                  [this, kept, why, tell](Result<std::int64_t> id) {
                    if (!id) return tell(refusal_of(id.error()));
                    note(kept, "snapshot", fmt::format("snapshot {} taken{}{}", *id, why.empty() ? "" : ": ", why),
                         false, [tell, taken = *id] { tell(taken); });
                  });
  });
}

void Service::keep_snapshot(const Stream& stream, StreamRecord record, const std::string& why,
                            std::function<void(Result<std::int64_t>)> done) {
  const bool is_served = stream.model()->while_served(
      [&] { store_->snapshot(stream.name(), std::move(record), why, settings_.kept_snapshots, std::move(done)); });
  if (!is_served) stream.model()->check_is_served();
}

/// With the turn. What cannot be read any more is kept as it is on disk. Throws Refusal where it cannot be kept, before
/// anything took its place.
void Service::keep_present(Stream& stream, const std::string& why) {
  auto present = stream.learner ? stream.learner->record(now_in_seconds()) : need(store_->load(stream.name()));
  if (!present) return;
  wait_for([&](const Store::Done& done) {
    keep_snapshot(stream, *std::move(present), why,
                  [done](const Result<std::int64_t>& id) { done(id ? Status() : Status(id.error())); });
  });
}

/// With the turn: the stream goes on with `learner`.
void Service::replace(Stream& stream, Learner learner, const std::string& kind, std::string detail, Tell<Done> tell) {
  keep_present(stream, "before " + kind);
  keeper_.put(stream, std::move(learner));
  keeper_.save(stream.shared_from_this(), [this, name = stream.name(), kind, detail, tell](const Status& status) {
    if (!status) return tell(refusal_of(status.error()));
    note(name, kind, detail, false, [tell] { tell(Done{}); });
  });
}

void Service::roll_back(const StreamName& name, std::int64_t snapshot, Tell<Done> tell) {
  with_stream(name, tell, [this, snapshot, tell](Stream& stream) {
    const auto record = need(store_->snapshot(stream.name(), snapshot));
    if (!record) refuse(404, fmt::format("snapshot {} of {} is not known", snapshot, words_for(stream.name())));
    Learner learner = keeper_.new_learner(stream);
    learner.restore(*record);
    replace(stream, std::move(learner), "rollback", fmt::format("rolled back to snapshot {}", snapshot), tell);
  });
}

void Service::reset(const StreamName& name, Tell<Done> tell) {
  with_stream(name, tell, [this, tell](Stream& stream) {
    replace(stream, keeper_.new_learner(stream), "reset", "began anew from the source", tell);
  });
}

void Service::restore(const StreamName& name, std::string state, Tell<Done> tell) {
  submit_to(name, tell, [this, state = std::move(state), tell](Stream& stream) {
    Learner learner = keeper_.new_learner(stream);
    learner.restore_state(state);
    replace(stream, std::move(learner), "restore", "went on from a state that was brought", tell);
  });
}

void Service::remove(const StreamName& name, Tell<Done> tell) {
  with_stream(name, tell, [this, tell](Stream& stream) {
    keeper_.remove(stream, [this, name = stream.name(), tell](const Status& status) {
      if (!status) return tell(refusal_of(status.error()));
      note(name, "delete", "deleted with its snapshots", false, [tell] { tell(Done{}); });
    });
  });
}

void Service::set_mode(const std::string& model, Mode mode) {
  const std::scoped_lock turn(changing_models_);
  const ModelPointer served = models_.find(model);
  // Of a model of the configuration the mode alone is kept.
  ModelRecord record{.name = model, .specification = "", .source = ""};
  for (auto& kept : need(store_->models()))
    if (kept.name == model) record.source = std::move(kept.source);
  ModelSpecification specification = served->specification();
  specification.mode = mode;
  record.specification = specification_json(specification);
  wait_for([&](Store::Done done) { store_->save_model(std::move(record), std::move(done)); });
  served->set_mode(mode);
  note_of_model(model, "mode", fmt::format("mode is {} now", name_of(mode)));
}

void Service::serve(const ModelPointer& model) {
  models_.add(model);
  metrics_.know_model(model->name());
}

void Service::add_model(const ModelPointer& model, const std::string& source) {
  const std::scoped_lock turn(changing_models_);
  serve(model);
  try {
    wait_for([&](Store::Done done) {
      store_->save_model({model->name(), specification_json(model->specification()), source}, std::move(done));
    });
  } catch (const Refusal&) {
    retire(*model);
    forget(model->name());
    throw;
  }
  note_of_model(model->name(), "model", fmt::format("model {} added", model->name()));
}

void Service::remove_model(const std::string& model) {
  const std::scoped_lock turn(changing_models_);
  retire(*models_.find(model));
  wait_for([&](Store::Done done) { store_->remove_model(model, std::move(done)); });
  forget(model);  // last: one of the same name may come when nothing is left of this one
  note_of_model(model, "model", fmt::format("model {} removed with its streams", model));
}

/// Whoever still has it learns nothing more, and its streams leave memory as they end what they are at.
void Service::retire(Model& model) {
  model.retire();
  for (const auto& stream : streams_.table().of_model(model.name()))
    streams_.submit_if_present(stream->name(), [this](Stream& gone) { keeper_.unload(gone); });
}

void Service::forget(const std::string& model) {
  metrics_.forget_model(model);
  models_.remove(model);
}

void Service::note_of_model(const std::string& model, std::string kind, std::string detail) {
  wait_for([&](const Store::Done& done) {
    note({model, ""}, std::move(kind), std::move(detail), true, [done] { done({}); });
  });
}

void Service::open_kept_models() {
  for (const auto& record : need(store_->models())) {
    auto specification = specification_of(record.specification);
    if (const ModelPointer configured = models_.find_or_null(record.name)) {
      if (!record.source.empty())
        log(LogLevel::kWarning, "a model of the configuration hides one that was added", {{"model", record.name}});
      if (configured->mode() != specification.mode)
        log(LogLevel::kWarning, "the mode is as it was set last, not as the configuration says",
            {{"model", record.name}, {"mode", std::string(name_of(specification.mode))}});
      configured->set_mode(specification.mode);
      continue;
    }
    if (record.source.empty()) continue;  // a mode of a model that is no longer configured
    const SourceModel source = need(source_from_bytes(record.source));
    serve(need(Model::create(std::move(specification), source)));
  }
}

}  // namespace stad::server
