#include "bench/plan/run_identity.hpp"

#include <span>

#include <fmt/format.h>

#include "bench/plan/fingerprint.hpp"
#include "bench/plan/provenance.hpp"

namespace stad::cli::bench {

Json identity_of(const PlannedRun& run, const std::string& program) {
  Json options = Json::object();
  for (const OptionSetting& option : run.resolved) options[option.name] = option.value;
  const StreamSpec& stream = *run.stream;
  Json identity{{"program", program},
                {"stream", run.data->identity().at("stream")},
                {"head", run.data->identity().at("head")},
                {"since", stream.since ? Json(*stream.since) : Json()},
                {"until", stream.until ? Json(*stream.until) : Json()},
                {"sort_by_time", stream.sort_by_time},
                {"order", name_of(run.setting->order)},
                {"across_steps", run.setting->across_steps},
                {"batch_size", run.batch_size},
                {"seed", run.seed},
                {"method", run.method->name},
                {"options", options},
                {"alone", run.experiment->alone},
                {"follow_prototypes", run.follow_prototypes},
                {"watch_health", run.watch_health}};
  if (run.data->images()) {
    identity.update(run.data->identity());
    identity["takes_images"] = run.takes_images();
  }
  if (run.experiment->alone) identity["machine"] = machine_name();  // its point is the clock
  if (const ProjectionSpec* map = run.projection)
    identity["projection"] = {map->time, map->points, map->perplexity, map->seed};
  return identity;
}

std::string key_of(const Json& identity) {
  Fingerprint print;
  const std::string text = json_text(identity);
  print.add(std::as_bytes(std::span(text)));
  return fmt::format("{:016x}", print.value());
}

}  // namespace stad::cli::bench
