#include "server/serving/models.hpp"

#include <fmt/format.h>

#include "server/refusal.hpp"

namespace stad::server {

void Models::add(ModelPointer model) {
  const std::scoped_lock lock(mutex_);
  const std::string name = model->name();
  if (!models_.emplace(name, std::move(model)).second) refuse(409, fmt::format("model {} is there already", name));
}

void Models::remove(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  models_.erase(name);
}

ModelPointer Models::find(std::string_view name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = models_.find(name);
  if (found != models_.end()) return found->second;
  std::string names;
  for (const auto& [other, model] : models_) names += (names.empty() ? "" : ", ") + other;
  refuse(404, fmt::format("there is no model '{}'; served are: {}", name, names.empty() ? "none" : names));
}

ModelPointer Models::find_or_null(std::string_view name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = models_.find(name);
  return found == models_.end() ? nullptr : found->second;
}

std::vector<ModelPointer> Models::all() const {
  const std::scoped_lock lock(mutex_);
  std::vector<ModelPointer> models;
  for (const auto& [name, model] : models_) models.push_back(model);
  return models;
}

}  // namespace stad::server
