#include "server/service/model_administration.hpp"

#include <utility>

#include <fmt/format.h>

#include <stad/files.hpp>

#include "server/service/model_json.hpp"
#include "server/service/write_and_wait.hpp"
#include "serving/log.hpp"

namespace stad::server {

void ModelAdministration::set_mode(const std::string& model, Mode mode, const std::string& caller) {
  const std::scoped_lock lock(changing_);
  const ModelPointer served = models_.find(model);
  // For a configured model only the mode is stored.
  ModelRecord record{.name = model, .specification = "", .source = ""};
  for (auto& kept : need(store_.models()))
    if (kept.name == model) record.source = std::move(kept.source);
  ModelSpecification specification = served->specification();
  specification.mode = mode;
  record.specification = specification_json(specification);
  write_and_wait([&](Store::Done done) { store_.save_model(std::move(record), std::move(done)); });
  served->set_mode(mode);
  record_event(model, "mode", fmt::format("mode is {} now", name_of(mode)), caller);
}

void ModelAdministration::serve(const ModelPointer& model, Open open) {
  const std::string& name = model->name();
  const std::scoped_lock lock(opening_);
  if (open_.contains(name) && !models_.find_or_null(name)) reject(409, fmt::format("model {} exists, unloaded", name));
  models_.add(model);
  open_[name] = std::move(open);
  metrics_.add_model(name);
}

void ModelAdministration::add(const ModelPointer& model, const std::string& source, const std::string& caller) {
  const std::scoped_lock lock(changing_);
  serve(model, [this, name = model->name()] { return open_stored(name); });
  try {
    write_and_wait([&](Store::Done done) {
      store_.save_model({model->name(), specification_json(model->specification()), source}, std::move(done));
    });
  } catch (const AppError&) {
    retire(*model);
    unregister(model->name());
    forget(model->name());
    throw;
  }
  record_event(model->name(), "model", fmt::format("model {} added", model->name()), caller);
}

void ModelAdministration::remove(const std::string& model, const std::string& caller) {
  const std::scoped_lock lock(changing_);
  const ModelPointer served = is_known(model) ? models_.find_or_null(model) : models_.find(model);
  if (served) retire(*served);
  write_and_wait([&](Store::Done done) { store_.remove_model(model, std::move(done)); });
  unregister(model);
  forget(model);  // last: the name becomes free once nothing of the model is left
  record_event(model, "model", fmt::format("model {} removed with its streams", model), caller);
}

/// Requests that hold the model are rejected from now on; its streams leave memory after their current task.
void ModelAdministration::retire(ServedModel& model) {
  model.retire();
  for (const auto& stream : scheduler_.of_model(model.name()))
    scheduler_.submit_if_present(stream->name(), [this](Stream& retired) { checkpointer_.unload(retired); });
}

void ModelAdministration::unregister(const std::string& model) {
  checkpointer_.quarantine().release_model(model);
  metrics_.remove_model(model);
  models_.remove(model);
}

void ModelAdministration::record_event(const std::string& model, std::string kind, std::string detail,
                                       const std::string& caller) {
  write_and_wait([&](const Store::Done& done) {
    monitor_.record_event(new_event({model, ""}, std::move(kind), std::move(detail), caller), true,
                          [done] { done({}); });
  });
}

bool ModelAdministration::is_known(const std::string& model) const {
  const std::scoped_lock lock(opening_);
  return open_.contains(model);
}

void ModelAdministration::forget(const std::string& model) {
  const std::scoped_lock lock(opening_);
  open_.erase(model);
}

/// Of a model that was added.
ModelPointer ModelAdministration::open_stored(const std::string& model) const {
  for (const auto& record : need(store_.models()))
    if (record.name == model && !record.source.empty())
      return need(
          ServedModel::create(parse_specification(record.specification), need(source_from_bytes(record.source))));
  reject(404, fmt::format("model '{}' is not stored", model));
}

/// The mode that was set last persists, as at a start.
ModelPointer ModelAdministration::open(const std::string& model) const {
  Open open;
  {
    const std::scoped_lock lock(opening_);
    const auto found = open_.find(model);
    if (found == open_.end()) reject(404, fmt::format("model '{}' is neither configured nor added", model));
    open = found->second;
  }
  if (!open) reject(400, fmt::format("model {} cannot be loaded again", model));
  ModelPointer opened = open();
  for (const auto& record : need(store_.models()))
    if (record.name == model) opened->set_mode(parse_specification(record.specification).mode);
  return opened;
}

void ModelAdministration::unload(const std::string& model, const std::string& caller) {
  const std::scoped_lock lock(changing_);
  const ModelPointer served = is_known(model) ? models_.find_or_null(model) : models_.find(model);
  if (!served) return;
  stop_serving(*served);
  unregister(model);
  record_event(model, "model", fmt::format("model {} unloaded", model), caller);
}

void ModelAdministration::load(const std::string& model, const std::string& caller) {
  const std::scoped_lock lock(changing_);
  const ModelPointer opened = open(model);
  const ModelPointer served = models_.find_or_null(model);
  if (served) {
    stop_serving(*served);
    unregister(model);
  }
  models_.add(opened);
  metrics_.add_model(model);
  record_event(model, "model", fmt::format("model {} {}", model, served ? "reloaded" : "loaded"), caller);
}

std::vector<ModelAdministration::IndexEntry> ModelAdministration::index() const {
  const std::scoped_lock lock(opening_);
  std::vector<IndexEntry> entries;
  for (const auto& [name, open] : open_) entries.push_back({name, models_.find_or_null(name) != nullptr});
  return entries;
}

/// Requests are rejected before the streams are written, so that no answer is sent whose change is not on disk.
void ModelAdministration::stop_serving(ServedModel& model) {
  model.close();
  try {
    save_streams(model.name());
  } catch (const AppError&) {
    model.reopen();
    throw;
  }
  retire(model);
}

/// Waits for the running task of each stream and for the disk.
void ModelAdministration::save_streams(const std::string& model) {
  const auto save = [this](const StreamPointer& stream, const Store::Done& done) {
    const auto write = [this, stream, done](Stream& held) {
      const bool is_unsaved = held.is_dirty || held.pending_saves > 0;
      if (&held != stream.get() || !held.session || held.is_stale() || !is_unsaved) return done({});
      checkpointer_.save(stream, done);
    };
    if (!scheduler_.submit_if_present(stream->name(), write)) done({});
  };
  for (const auto& stream : scheduler_.of_model(model))
    write_and_wait([&](const Store::Done& done) { save(stream, done); });
}

void ModelAdministration::restore() {
  for (const auto& record : need(store_.models())) {
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
      serve(need(ServedModel::create(std::move(specification), source)),
            [this, name = record.name] { return open_stored(name); });
    } catch (const AppError& failure) {  // its method has lost an option: the others are served
      log(LogLevel::kError, "a model that was added cannot be served; add it again with options of this version",
          {{"model", record.name}, {"reason", failure.error.message}});
    }
  }
}

}  // namespace stad::server
