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

void ModelAdministration::serve(const ModelPointer& model) {
  models_.add(model);
  metrics_.add_model(model->name());
}

void ModelAdministration::add(const ModelPointer& model, const std::string& source, const std::string& caller) {
  const std::scoped_lock lock(changing_);
  serve(model);
  try {
    write_and_wait([&](Store::Done done) {
      store_.save_model({model->name(), specification_json(model->specification()), source}, std::move(done));
    });
  } catch (const AppError&) {
    retire(*model);
    unregister(model->name());
    throw;
  }
  record_event(model->name(), "model", fmt::format("model {} added", model->name()), caller);
}

void ModelAdministration::remove(const std::string& model, const std::string& caller) {
  const std::scoped_lock lock(changing_);
  retire(*models_.find(model));
  write_and_wait([&](Store::Done done) { store_.remove_model(model, std::move(done)); });
  unregister(model);  // last: the name becomes free once nothing of the model is left
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
      serve(need(ServedModel::create(std::move(specification), source)));
    } catch (const AppError& failure) {  // its method has lost an option: the others are served
      log(LogLevel::kError, "a model that was added cannot be served; add it again with options of this version",
          {{"model", record.name}, {"reason", failure.error.message}});
    }
  }
}

}  // namespace stad::server
