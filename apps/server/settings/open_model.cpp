#include "server/settings/open_model.hpp"

#include <stad/backbone.hpp>
#include <stad/files.hpp>

#include "server/refusal.hpp"

namespace stad::server {

namespace {

ModelPointer opened(const ConfiguredModel& model) {
  if (model.network.empty())
    return need(Model::create(model.specification,
                              model.source.empty() ? demo_simulation().source : need(read_source(model.source))));
  auto network = need(open_backbone(model.network));
  if (!model.source.empty()) network = need(network->with_source(need(read_source(model.source))));
  return need(Model::create(model.specification, network, model.image));
}

}  // namespace

Simulation demo_simulation() {
  SimulationSettings settings;
  settings.drift = Drift::kRecurring;
  settings.steps = 40;
  settings.seed = 7;
  return need(simulate(settings));
}

/// A file, a method, an option or a name that is wrong is named with the line of its model.
ModelPointer open_model(const ConfiguredModel& model) {
  try {
    return opened(model);
  } catch (const Refusal& refusal) {
    if (model.place.empty()) throw;
    refuse(refusal.status, model.place + ": " + refusal.message);
  }
}

}  // namespace stad::server
