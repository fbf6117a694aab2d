#include <algorithm>

#include <fmt/format.h>

#include "bench/plan/experiment.hpp"

namespace stad::cli::bench {
namespace {

bool is_limited(const RunLimits& limits) { return limits.networks || limits.orders || !limits.batch_sizes.empty(); }

bool has_source(const Experiment& experiment, const StreamSpec& stream, const SettingSpec& setting) {
  return std::ranges::any_of(experiment.methods, [&](const MethodSpec& method) {
    return method.name == "source" && applies(method, stream, setting);
  });
}

bool can_gain(const MethodSpec& method) { return !method.name.empty() && method.name != "source" && !method.sweep; }

void check_projected_run_exists(const Experiment& experiment, const ProjectionSpec& map) {
  for (const StreamSpec& stream : experiment.streams)
    for (const SettingSpec& setting : experiment.settings)
      for (const MethodSpec& method : experiment.methods)
        if (stream.name == map.stream && setting.name == map.setting && method.title == map.title &&
            !method.name.empty() && applies(method, stream, setting))
          return;
  reject_at(map.place, fmt::format("method {} is not run on {}, {}, must be for [projection]", map.title, map.stream,
                                   map.setting));
}

}  // namespace

void check_prototypes(const Experiment& experiment) {
  const bool tracked = experiment.shows(Exhibit::kFidelity) || experiment.projection;
  for (const SettingSpec& setting : experiment.settings)
    if (tracked && setting.across_steps)
      reject_at(setting.place, "across_steps excludes fidelity and projection, which need batches of one time step");
  if (!experiment.projection) return;
  check_projected_run_exists(experiment, *experiment.projection);
  for (const MethodSpec& method : experiment.methods)
    if (method.title == experiment.projection->title && (!method.grid.empty() || method.sweep))
      reject_at(method.place, "the method of [projection] has a grid or a sweep, must have neither");
  for (const SettingSpec& setting : experiment.settings)
    if (setting.name == experiment.projection->setting && setting.batch_sizes.size() > 1)
      reject_at(setting.place, "the setting of [projection] has several batch sizes, must have one");
}

void check_drawn_method(const Experiment& experiment) {
  if (!experiment.projection) return;
  for (const MethodSpec& method : experiment.methods)
    if (method.title == experiment.projection->title && method.adapts_network)
      reject_at(method.place, fmt::format("the method of [projection] is {}, which adapts the network; must be one "
                                          "that works on embeddings",
                                          method.name));
}

void check_gains(const Experiment& experiment) {
  if (!experiment.shows(Exhibit::kGains)) return;
  if (std::ranges::none_of(experiment.methods, can_gain))
    reject_at({experiment.file, 1}, "report names gains, must have a method other than source without a sweep");
  for (const MethodSpec& method : experiment.methods) {
    if (method.limits.count)
      reject_at(method.place, "count excludes gains, which compare with the source on the same images");
    if (method.name == "source" && is_limited(method.limits))
      reject_at(method.place,
                "source has limits, must have none with gains: it must run wherever the other methods do");
  }
  for (const StreamSpec& stream : experiment.streams)
    for (const SettingSpec& setting : experiment.settings)
      if (applies(setting, stream) && !has_source(experiment, stream, setting))
        reject_at({experiment.file, 1},
                  fmt::format("report names gains, must have source on {}, {}", stream.name, setting.name));
}

}  // namespace stad::cli::bench
