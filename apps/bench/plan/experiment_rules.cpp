#include "bench/plan/experiment_rules.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <stad/methods.hpp>

#include "common/json_text.hpp"

namespace stad::cli::bench {
namespace {

template <typename Spec>
std::vector<std::string> names_of(const std::vector<Spec>& specs) {
  std::vector<std::string> names;
  for (const Spec& spec : specs) names.push_back(spec.name);
  return names;
}

void check_known(const Place& place, const std::string& what, const std::string& name,
                 const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) == known.end())
    refuse_at(place,
              fmt::format("{} {} is not of this experiment, must be one of {}", what, name, fmt::join(known, ", ")));
}

template <typename Spec>
void check_distinct(const std::vector<Spec>& specs, const std::string& what) {
  std::set<std::string> seen;
  for (const Spec& spec : specs)
    if (!seen.insert(spec.name).second)
      refuse_at(spec.place, fmt::format("{} {} is there already, must have a name of its own", what, spec.name));
}

/// What one part says of another must be true.
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

/// A table needs one figure a cell: no two entries of one title may meet in a stream and a setting.
void check_overlaps(const Experiment& experiment) {
  for (const StreamSpec& stream : experiment.streams)
    for (const SettingSpec& setting : experiment.settings) {
      std::set<std::pair<std::string, std::string>> seen;
      for (const MethodSpec& method : experiment.methods)
        if (applies(method, stream, setting) &&
            !seen.insert({method.title, method.sweep ? method.sweep->name : ""}).second)
          refuse_at(method.place, fmt::format("method {} is there already for {}, {}; must have a title of its own",
                                              method.title, stream.name, setting.name));
    }
}

template <typename Value>
void check_no_repeats(const Place& place, const char* key, std::vector<Value> values) {
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end()) refuse_at(place, fmt::format("{} names {} twice, must name it once", key, *twice));
}

/// What counts twice would weigh twice.
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

/// A grid that nobody can wait for is a slip of the pen.
void check_grid_size(const MethodSpec& method) {
  constexpr double kMostPoints = 10'000;
  double points = 1;
  for (const OptionRange& range : method.grid) points *= static_cast<double>(range.values.size());
  if (points > kMostPoints)
    refuse_at(method.place, fmt::format("grid has {} points, must have at most {}", points, kMostPoints));
}

void check_methods(const Experiment& experiment) {
  std::vector<std::string> known;
  for (const auto& list : {methods(), network_methods()})
    for (const MethodInfo& info : list) known.push_back(info.name);
  for (const MethodSpec& method : experiment.methods) {
    check_grid_size(method);
    const bool optionless = method.options.empty() && method.grid.empty() && !method.sweep;
    if (method.name.empty() && !optionless)
      refuse_at(method.place, "has options but no name, must have the name of a method (see stad methods)");
    if (!method.name.empty() && std::find(known.begin(), known.end(), method.name) == known.end())
      refuse_at(method.place, fmt::format("unknown method {}, must be one of {}", method.name, fmt::join(known, ", ")));
  }
}

void check_streams(const Experiment& experiment) {
  for (const StreamSpec& stream : experiment.streams) {
    for (const std::string& file : stream.all_files())
      if (std::any_of(file.begin(), file.end(), [](unsigned char c) { return c < 0x20; }))
        refuse_at(stream.place, "files has a name with a control character, must have none");
    for (const auto& [stamp, name] : stream.step_names)
      if (!number_or_text(stamp).is_number())
        refuse_at(stream.place, fmt::format("step_names names {}, must name time stamps", stamp));
  }
}

void check_map_is_run(const Experiment& experiment, const ProjectionSpec& map) {
  for (const StreamSpec& stream : experiment.streams)
    for (const SettingSpec& setting : experiment.settings)
      for (const MethodSpec& method : experiment.methods)
        if (stream.name == map.stream && setting.name == map.setting && method.title == map.title &&
            !method.name.empty() && applies(method, stream, setting))
          return;
  refuse_at(map.place,
            fmt::format("method {} is not run on {}, {}, must be to be drawn", map.title, map.stream, map.setting));
}

/// A map is of one run; and where prototypes are followed from step to step, a batch must belong to one.
void check_prototypes(const Experiment& experiment) {
  const bool followed = experiment.shows(Exhibit::kFidelity) || experiment.projection;
  for (const SettingSpec& setting : experiment.settings)
    if (followed && setting.across_steps)
      refuse_at(setting.place,
                "across_steps stands beside fidelity or projection, which need batches of one time step");
  if (!experiment.projection) return;
  check_map_is_run(experiment, *experiment.projection);
  for (const MethodSpec& method : experiment.methods)
    if (method.title == experiment.projection->title && (!method.grid.empty() || method.sweep))
      refuse_at(method.place, "the method of [projection] has a grid or a sweep, must have neither");
  for (const SettingSpec& setting : experiment.settings)
    if (setting.name == experiment.projection->setting && setting.batch_sizes.size() > 1)
      refuse_at(setting.place, "the setting of [projection] has several batch sizes, must have one");
}

void check_parts(const Experiment& experiment) {
  const Place place{experiment.file, 1};
  if (experiment.streams.empty()) refuse_at(place, "has no [[streams]], must have at least one");
  if (experiment.settings.empty()) refuse_at(place, "has no [[settings]], must have at least one");
  if (experiment.methods.empty()) refuse_at(place, "has no [[methods]], must have at least one");
  if (experiment.shows(Exhibit::kProjection) != experiment.projection.has_value())
    refuse_at(place, "report names projection or [projection] is there, must be both or neither");
  const bool sweeps = std::any_of(experiment.methods.begin(), experiment.methods.end(),
                                  [](const MethodSpec& method) { return method.sweep.has_value(); });
  if (experiment.shows(Exhibit::kSweep) && !sweeps) refuse_at(place, "report names sweep, must have a method with one");
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
  check_images(experiment);
  check_gains(experiment);
}

}  // namespace stad::cli::bench
