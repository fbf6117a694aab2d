#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <stad/methods.hpp>

#include "bench/plan/experiment.hpp"
#include "common/json_text.hpp"

namespace stad::cli::bench {
namespace {

template <typename Spec>
std::vector<std::string> names_of(const std::vector<Spec>& specs) {
  std::vector<std::string> names;
  names.reserve(specs.size());
  for (const Spec& spec : specs) names.push_back(spec.name);
  return names;
}

void check_known(const TomlPlace& place, const std::string& what, const std::string& name,
                 const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) == known.end())
    reject_at(place, fmt::format("{} {} is not part of this experiment, must be one of {}", what, name,
                                 fmt::join(known, ", ")));
}

template <typename Spec>
void check_distinct(const std::vector<Spec>& specs, const std::string& what) {
  std::set<std::string> seen;
  for (const Spec& spec : specs)
    if (!seen.insert(spec.name).second)
      reject_at(spec.place, fmt::format("{} {} is defined twice, must have a unique name", what, spec.name));
}

/// Names that refer to other parts of the experiment must exist.
void check_names(const Experiment& experiment) {
  const auto streams = names_of(experiment.streams), settings = names_of(experiment.settings);
  check_distinct(experiment.streams, "stream");
  check_distinct(experiment.settings, "setting");
  std::vector<std::string> titles, details{""};
  for (const MethodSpec& method : experiment.methods) {
    titles.push_back(method.title);
    if (method.sweep)
      for (const auto& value : method.sweep->values) details.push_back(method.sweep->name + " = " + value);
    for (const auto& name : method.streams) check_known(method.place, "stream", name, streams);
    for (const auto& name : method.settings) check_known(method.place, "setting", name, settings);
  }
  for (const SettingSpec& setting : experiment.settings)
    for (const auto& name : setting.streams) check_known(setting.place, "stream", name, streams);
  for (const auto& [cell, figure] : experiment.paper_figures) {
    check_known(figure.place, "stream", cell.stream, streams);
    check_known(figure.place, "setting", cell.setting, settings);
    check_known(figure.place, "method", cell.title, titles);
    if (experiment.shows(Exhibit::kSweep)) check_known(figure.place, "detail", cell.detail, details);
  }
  if (!experiment.projection) return;
  check_known(experiment.projection->place, "stream", experiment.projection->stream, streams);
  check_known(experiment.projection->place, "setting", experiment.projection->setting, settings);
  check_known(experiment.projection->place, "method", experiment.projection->title, titles);
}

/// A table has one figure per cell: two methods with one title must not run on the same stream in the same setting.
void check_overlaps(const Experiment& experiment) {
  for (const StreamSpec& stream : experiment.streams)
    for (const SettingSpec& setting : experiment.settings) {
      std::set<std::pair<std::string, std::string>> seen;
      for (const MethodSpec& method : experiment.methods)
        if (applies(method, stream, setting) &&
            !seen.insert({method.title, method.sweep ? method.sweep->name : ""}).second)
          reject_at(method.place, fmt::format("method {} is defined twice for {}, {}; must have a unique title",
                                              method.title, stream.name, setting.name));
    }
}

template <typename Value>
void check_no_repeats(const TomlPlace& place, const char* key, std::vector<Value> values) {
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end()) reject_at(place, fmt::format("{} names {} twice, must name it once", key, *twice));
}

/// A repeated value would be weighted twice in means.
void check_repeats(const Experiment& experiment) {
  for (const StreamSpec& stream : experiment.streams) {
    check_no_repeats(stream.place, "files", stream.files);
    check_no_repeats(stream.place, "models", stream.models);
    check_no_repeats(stream.place, "corruptions", stream.corruptions);
    check_no_repeats(stream.place, "seeds", stream.simulated.seeds);
  }
  for (const SettingSpec& setting : experiment.settings) {
    check_no_repeats(setting.place, "seeds", setting.seeds);
    check_no_repeats(setting.place, "batch_size", setting.batch_sizes);
  }
  for (const MethodSpec& method : experiment.methods) {
    for (const OptionRange& range : method.grid) check_no_repeats(range.place, "grid", range.values);
    if (method.sweep) check_no_repeats(method.sweep->place, "sweep", method.sweep->values);
  }
}

/// A grid of this size cannot finish in reasonable time; it is taken for a mistake.
void check_grid_size(const MethodSpec& method) {
  constexpr double kMostPoints = 10'000;
  double points = 1;
  for (const OptionRange& range : method.grid) points *= static_cast<double>(range.values.size());
  if (points > kMostPoints)
    reject_at(method.place, fmt::format("grid has {} points, must have at most {}", points, kMostPoints));
}

void check_methods(const Experiment& experiment) {
  std::vector<std::string> known;
  for (const auto& list : {methods(), network_methods()})
    for (const MethodInfo& info : list) known.push_back(info.name);
  for (const MethodSpec& method : experiment.methods) {
    check_grid_size(method);
    const bool optionless = method.options.empty() && method.grid.empty() && !method.sweep;
    if (method.name.empty() && !optionless)
      reject_at(method.place, "has options but no name, must name a method (see stad methods)");
    if (!method.name.empty() && std::find(known.begin(), known.end(), method.name) == known.end())
      reject_at(method.place, fmt::format("unknown method {}, must be one of {}", method.name, fmt::join(known, ", ")));
  }
}

void check_streams(const Experiment& experiment) {
  for (const StreamSpec& stream : experiment.streams) {
    for (const std::string& file : stream.all_files())
      if (std::any_of(file.begin(), file.end(), [](unsigned char c) { return c < 0x20; }))
        reject_at(stream.place, "files has a name with a control character, must have none");
    for (const auto& [stamp, name] : stream.step_names)
      if (!number_or_text(stamp).is_number())
        reject_at(stream.place, fmt::format("step_names names {}, must name time stamps", stamp));
  }
}

void check_parts(const Experiment& experiment) {
  const TomlPlace place{experiment.file, 1};
  if (experiment.streams.empty()) reject_at(place, "has no [[streams]], must have at least one");
  if (experiment.settings.empty()) reject_at(place, "has no [[settings]], must have at least one");
  if (experiment.methods.empty()) reject_at(place, "has no [[methods]], must have at least one");
  if (experiment.shows(Exhibit::kProjection) != experiment.projection.has_value())
    reject_at(place, "report names projection without [projection] or the other way round, must have both or neither");
  const bool sweeps = std::any_of(experiment.methods.begin(), experiment.methods.end(),
                                  [](const MethodSpec& method) { return method.sweep.has_value(); });
  if (experiment.shows(Exhibit::kSweep) && !sweeps)
    reject_at(place, "report names sweep, must have a method with a sweep");
}

bool runs_on(const Experiment& experiment, const MethodSpec& method, const StreamSpec& stream) {
  return !method.name.empty() &&
         std::any_of(experiment.settings.begin(), experiment.settings.end(),
                     [&](const SettingSpec& setting) { return applies(method, stream, setting); });
}

void check_network_methods(const Experiment& experiment) {
  for (const MethodSpec& method : experiment.methods)
    for (const StreamSpec& stream : experiment.streams)
      if (method.adapts_network && !stream.has_images() && runs_on(experiment, method, stream))
        reject_at(method.place, fmt::format("{} adapts the network, stream {} has no images; must have models and "
                                            "images, or be left out of the streams of the method",
                                            method.name, stream.name));
}

/// Rejects a limit that has no effect.
void check_limits(const Experiment& experiment) {
  for (const MethodSpec& method : experiment.methods) {
    const auto corrupted = [&](const StreamSpec& stream) {
      return !stream.corruptions.empty() && runs_on(experiment, method, stream);
    };
    if (method.limits.count && std::none_of(experiment.streams.begin(), experiment.streams.end(), corrupted))
      reject_at(method.place, "count is the number of images per severity, requires a stream with corruptions");
  }
}

void check_batch_sizes(const Experiment& experiment) {
  for (const MethodSpec& method : experiment.methods)
    for (const Index size : method.limits.batch_sizes) {
      const auto has_size = [&](const SettingSpec& setting) {
        return std::find(setting.batch_sizes.begin(), setting.batch_sizes.end(), size) != setting.batch_sizes.end();
      };
      if (std::none_of(experiment.settings.begin(), experiment.settings.end(), has_size))
        reject_at(method.place, fmt::format("batch_size names {}, must be a batch size of a setting", size));
    }
}

void check_through_network(const Experiment& experiment) {
  if (!experiment.through_network) return;
  for (const StreamSpec& stream : experiment.streams)
    if (!stream.has_images())
      reject_at(stream.place,
                fmt::format("stream {} has no images, must have models and images for through_network", stream.name));
  if (experiment.shows(Exhibit::kFidelity) || experiment.projection)
    reject_at({experiment.file, 1}, "through_network excludes fidelity and projection, which need embeddings");
}

}  // namespace

void check_experiment(const Experiment& experiment) {
  check_parts(experiment);
  check_names(experiment);
  check_repeats(experiment);
  check_overlaps(experiment);
  check_methods(experiment);
  check_streams(experiment);
  check_prototypes(experiment);
  check_network_methods(experiment);
  check_limits(experiment);
  check_batch_sizes(experiment);
  check_through_network(experiment);
  check_drawn_method(experiment);
  check_gains(experiment);
}

}  // namespace stad::cli::bench
