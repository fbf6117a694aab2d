#include "serving/settings/model_settings.hpp"

#include <chrono>

#include <fmt/format.h>

#include <stad/backbone.hpp>
#include <stad/files.hpp>

#include "common/error.hpp"
#include "common/toml_table.hpp"

namespace stad::serving {

namespace {

using cli::TomlTable;

Mode written_mode(TomlTable& table) {
  const std::string name = table.text("mode", "active");
  try {
    return mode_of(name);
  } catch (const AppError& failure) {
    cli::reject_at(table.place_of("mode"), failure.error.message);
  }
}

std::chrono::microseconds written_delay(TomlTable& table) {
  constexpr double kMost = 60'000;
  const double milliseconds = table.number("max_delay").value_or(0);
  if (!(milliseconds >= 0 && milliseconds <= kMost))
    cli::reject_at(table.place_of("max_delay"),
                   fmt::format("max_delay is {}, must be a number from 0 to {}", milliseconds, kMost));
  return std::chrono::microseconds(static_cast<std::int64_t>(1000 * milliseconds));
}

ModelPointer load_model(const ConfiguredModel& model) {
  if (model.network.empty())
    return need(ServedModel::create(model.specification,
                                    model.source.empty() ? demo_simulation().source : need(read_source(model.source))));
  auto network = need(open_backbone(model.network));
  if (!model.source.empty()) network = need(network->with_source(need(read_source(model.source))));
  return need(ServedModel::create(model.specification, network, model.image));
}

}  // namespace

ConfiguredModel read_model(cli::TomlTable& table) {
  ConfiguredModel model;
  model.place = table.place().text();
  auto& specification = model.specification;
  specification.name = table.text("name");
  model.source = table.text("source", "");
  model.network = table.text("network", "");
  if (const auto shape = table.integers("image", 1); shape.size() == 3)
    model.image = {shape[0], shape[1], shape[2]};
  else if (!shape.empty() || !model.network.empty())
    cli::reject_at(table.place_of("image"), "image must be [channels, height, width], beside network");
  specification.method = table.text("method", specification.method);
  specification.mode = written_mode(table);
  specification.max_batch = table.integer("max_batch", 0).value_or(0);
  specification.max_delay = written_delay(table);
  specification.is_clustered = table.flag("cluster", false);
  if (auto options = table.table("options")) {
    for (const auto& key : options->keys()) {
      const auto values = options->values(key);
      if (values.size() != 1) cli::reject_at(options->place_of(key), fmt::format("option {} must have one value", key));
      specification.options.emplace_back(key, values.front());
    }
  }
  table.finish("a model");
  return model;
}

Simulation demo_simulation() {
  SimulationSettings settings;
  settings.drift = Drift::kRecurring;
  settings.steps = 40;
  settings.label_shift = true;  // labels persist, so that chains answer
  settings.seed = 7;
  return need(simulate(settings));
}

/// Errors in files, method, options or name are prefixed with the line of the model.
ModelPointer open_model(const ConfiguredModel& model) {
  try {
    return load_model(model);
  } catch (const AppError& failure) {
    if (model.place.empty()) throw;
    reject(http_status(failure), model.place + ": " + failure.error.message);
  }
}

}  // namespace stad::serving
