#include "bench/plan/simulated_spec.hpp"

#include "bench/plan/choose.hpp"
#include "common/drift_names.hpp"
#include "common/json_text.hpp"

namespace stad::cli::bench {
namespace {

SimulationSettings read_settings(TomlTable table) {
  SimulationSettings settings;
  settings.drift = choose(table.place_of("drift"), "drift", table.text("drift", "progressive"), kDrifts);
  settings.scattered = table.flag("scattered", settings.scattered);
  settings.unknown_class = table.flag("unknown_class", settings.unknown_class);
  settings.steps = table.integer("steps", 1).value_or(settings.steps);
  settings.samples_per_step = table.integer("samples", 1).value_or(settings.samples_per_step);
  settings.classes = table.integer("classes", 1).value_or(settings.classes);
  settings.dimension = table.integer("dimension", 1).value_or(settings.dimension);
  settings.strength = table.number("strength").value_or(settings.strength);
  settings.noise = table.number("noise").value_or(settings.noise);
  table.finish("simulated");
  return settings;
}

}  // namespace

SimulationSettings SimulatedSpec::with_seed(std::size_t number) const {
  SimulationSettings own = settings;
  own.seed = seeds[number];
  return own;
}

std::string SimulatedSpec::key_of(std::size_t number) const {
  return json_text(Json{"simulated", static_cast<int>(settings.drift), settings.scattered, settings.unknown_class,
                        settings.steps, settings.samples_per_step, settings.classes, settings.dimension,
                        settings.strength, settings.noise, seeds[number]});
}

SimulatedSpec read_simulated_spec(TomlTable& stream) {
  SimulatedSpec spec;
  spec.place = stream.place_of("simulated");
  for (const auto seed : stream.integers("seeds", 0)) spec.seeds.push_back(static_cast<std::uint64_t>(seed));
  auto table = stream.table("simulated");
  if (!table && stream.has("seeds"))
    refuse_at(stream.place_of("seeds"), "seeds stands without simulated, must be those of a simulated stream");
  if (!table) return spec;
  if (spec.seeds.empty())
    refuse_at(stream.place_of("seeds"),
              fmt::format("seeds is {}, must name at least one", stream.has("seeds") ? "empty" : "missing"));
  spec.settings = read_settings(std::move(*table));
  return spec;
}

}  // namespace stad::cli::bench
