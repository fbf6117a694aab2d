#include <algorithm>

#include <fmt/format.h>

#include "bench/plan/experiment_rules.hpp"

namespace stad::cli::bench {
namespace {

bool is_limited(const Thrift& thrift) { return thrift.networks || thrift.orders || !thrift.batch_sizes.empty(); }

bool has_source(const Experiment& experiment, const StreamSpec& stream, const SettingSpec& setting) {
  return std::ranges::any_of(experiment.methods, [&](const MethodSpec& method) {
    return method.name == "source" && applies(method, stream, setting);
  });
}

bool can_gain(const MethodSpec& method) { return !method.name.empty() && method.name != "source" && !method.sweep; }

}  // namespace

void check_gains(const Experiment& experiment) {
  if (!experiment.shows(Exhibit::kGains)) return;
  if (std::ranges::none_of(experiment.methods, can_gain))
    refuse_at({experiment.file, 1}, "report names gains, must have a method beside source that has no sweep");
  for (const MethodSpec& method : experiment.methods) {
    if (method.thrift.count)
      refuse_at(method.place, "count stands beside gains, which are over the source on the same images; must be apart");
    if (method.name == "source" && is_limited(method.thrift))
      refuse_at(method.place, "source has limits beside gains, must run wherever the others do");
  }
  for (const StreamSpec& stream : experiment.streams)
    for (const SettingSpec& setting : experiment.settings)
      if (meets(setting, stream) && !has_source(experiment, stream, setting))
        refuse_at({experiment.file, 1},
                  fmt::format("report names gains, must have source on {}, {}", stream.name, setting.name));
}

}  // namespace stad::cli::bench
