#include <algorithm>

#include <fmt/format.h>

#include "bench/plan/experiment_rules.hpp"

namespace stad::cli::bench {
namespace {

bool runs_on(const Experiment& experiment, const MethodSpec& method, const StreamSpec& stream) {
  return !method.name.empty() &&
         std::any_of(experiment.settings.begin(), experiment.settings.end(),
                     [&](const SettingSpec& setting) { return applies(method, stream, setting); });
}

void check_network_methods(const Experiment& experiment) {
  for (const MethodSpec& method : experiment.methods)
    for (const StreamSpec& stream : experiment.streams)
      if (method.adapts_network && !stream.has_images() && runs_on(experiment, method, stream))
        refuse_at(method.place, fmt::format("{} adapts the network, stream {} has no images; must have models and "
                                            "images, or streams must leave it out",
                                            method.name, stream.name));
}

/// A limit that limits nothing is a misunderstanding.
void check_thrift(const Experiment& experiment) {
  for (const MethodSpec& method : experiment.methods) {
    const auto corrupted = [&](const StreamSpec& stream) {
      return !stream.corruptions.empty() && runs_on(experiment, method, stream);
    };
    if (method.thrift.count && std::none_of(experiment.streams.begin(), experiment.streams.end(), corrupted))
      refuse_at(method.place, "count is of images a severity, must stand where a stream has corruptions");
  }
}

void check_batch_sizes(const Experiment& experiment) {
  for (const MethodSpec& method : experiment.methods)
    for (const Index size : method.thrift.batch_sizes) {
      const auto has_size = [&](const SettingSpec& setting) {
        return std::find(setting.batch_sizes.begin(), setting.batch_sizes.end(), size) != setting.batch_sizes.end();
      };
      if (std::none_of(experiment.settings.begin(), experiment.settings.end(), has_size))
        refuse_at(method.place, fmt::format("batch_size names {}, must be of a setting", size));
    }
}

void check_through_network(const Experiment& experiment) {
  if (!experiment.through_network) return;
  for (const StreamSpec& stream : experiment.streams)
    if (!stream.has_images())
      refuse_at(stream.place,
                fmt::format("stream {} has no images, must have models and images for through_network", stream.name));
  if (experiment.shows(Exhibit::kFidelity) || experiment.projection)
    refuse_at({experiment.file, 1},
              "through_network stands beside fidelity or projection, which look at embeddings; must be apart");
}

/// A network that changes has no one space for prototypes and samples.
void check_drawn_method(const Experiment& experiment) {
  if (!experiment.projection) return;
  for (const MethodSpec& method : experiment.methods)
    if (method.title == experiment.projection->title && method.adapts_network)
      refuse_at(method.place, fmt::format("the method of [projection] is {}, which adapts the network; must be one "
                                          "that works on embeddings",
                                          method.name));
}

}  // namespace

void check_images(const Experiment& experiment) {
  check_network_methods(experiment);
  check_thrift(experiment);
  check_batch_sizes(experiment);
  check_through_network(experiment);
  check_drawn_method(experiment);
}

}  // namespace stad::cli::bench
