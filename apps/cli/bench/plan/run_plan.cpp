#include "bench/plan/run_plan.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bench/plan/fingerprint.hpp"
#include "bench/plan/provenance.hpp"
#include "bench/plan/run_checks.hpp"
#include "command.hpp"

namespace stad::cli::bench {
namespace {

void add_first_values(const std::vector<OptionRange>& ranges, OptionValues& values) {
  for (const OptionRange& range : ranges) values.emplace_back(range.name, range.values.front());
}

struct GridPoint {
  std::string choice;
  OptionValues options;
};

/// The entry's options; with a grid, every point of it after the method's defaults, which need no labels to choose.
std::vector<GridPoint> grid_points(const MethodSpec& method) {
  OptionValues own;
  add_first_values(method.options, own);
  std::vector<GridPoint> points{{"", own}};
  for (const OptionRange& range : method.grid) {
    std::vector<GridPoint> longer;
    for (const GridPoint& point : points)
      for (const std::string& value : range.values) {
        longer.push_back(point);
        longer.back().choice += fmt::format("{}{} = {}", point.choice.empty() ? "" : ", ", range.name, value);
        longer.back().options.emplace_back(range.name, value);
      }
    points = std::move(longer);
  }
  if (!method.grid.empty()) points.insert(points.begin(), {"", {}});
  return points;
}

Json identity_of(const PlannedRun& run, const std::string& program) {
  Json options = Json::object();
  for (const OptionSetting& option : run.resolved) options[option.name] = option.value;
  const StreamSpec& stream = *run.stream;
  Json identity{{"program", program},
                {"stream", fmt::format("{:016x}", run.data->fingerprint)},
                {"head", fmt::format("{:016x}", run.data->source.fingerprint())},
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
                {"follow_prototypes", run.follow_prototypes}};
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

class Planner {
 public:
  explicit Planner(StreamShelf& shelf) : shelf_(shelf) {}

  void add(const Experiment& experiment, const StreamSpec& stream) {
    for (std::size_t n = 0; n < stream.files.size(); ++n) {
      const Network& network = shelf_.open(stream, n);
      for (const SettingSpec& setting : experiment.settings) {
        bool checked = false;
        for (const MethodSpec& method : experiment.methods) {
          if (method.name.empty() || !applies(method, stream, setting)) continue;
          PlannedRun run(experiment, stream, setting, method);
          run.data = &network;
          if (!std::exchange(checked, true)) check_network(run);
          check_values(method, network.source);
          run.network = n;
          add_candidates(run);
        }
      }
    }
  }

  std::vector<PlannedRun> finish() { return std::move(runs_); }

 private:
  void add_candidates(PlannedRun run) {
    const MethodSpec& method = *run.method;
    const std::vector<std::string> unswept{""};
    for (const std::string& value : method.sweep ? method.sweep->values : unswept)
      for (const GridPoint& candidate : grid_points(method)) {
        run.choice = candidate.choice;
        run.options = candidate.options;
        run.sweep_value = value;
        if (method.sweep) run.options.emplace_back(method.sweep->name, value);
        run.resolved = need_at(method.place, make_adapter(method.name, run.data->source, run.options))->options();
        add_batches(run);
      }
  }

  void add_batches(PlannedRun run) {
    const auto& map = run.experiment->projection;
    const bool drawn = map && map->stream == run.stream->name && map->setting == run.setting->name &&
                       map->title == run.method->title && run.network == 0;
    run.follow_prototypes = run.experiment->shows(Exhibit::kFidelity);
    for (const Index size : run.setting->batch_sizes)
      for (const std::uint64_t seed : run.setting->seeds) {
        run.batch_size = size;
        run.seed = seed;
        run.projection = drawn && seed == run.setting->seeds.front() ? &*map : nullptr;
        if (run.projection) check_projection(run);
        run.identity = identity_of(run, program_);
        run.key = key_of(run.identity);
        runs_.push_back(run);
      }
  }

  StreamShelf& shelf_;
  std::string program_ = program_fingerprint();
  std::vector<PlannedRun> runs_;
};

[[noreturn]] void refuse_missing(const StreamSpec& stream, const std::string& file) {
  refuse_at(stream.place, fmt::format("stream {}: {} does not exist{}{}", stream.name, file,
                                      stream.about.empty() ? "" : ". ", stream.about));
}

}  // namespace

PlannedRun::PlannedRun(const Experiment& experiment_, const StreamSpec& stream_, const SettingSpec& setting_,
                       const MethodSpec& method_)
    : experiment(&experiment_),
      stream(&stream_),
      setting(&setting_),
      method(&method_),
      batch_size(setting_.batch_sizes.front()),
      seed(setting_.seeds.front()) {}

BatchSettings PlannedRun::batches() const {
  return {.batch_size = batch_size,
          .order = setting->order,
          .seed = seed,
          .since = stream->since,
          .until = stream->until,
          .sort_by_time = stream->sort_by_time,
          .across_steps = setting->across_steps};
}

bool PlannedRun::centres_features() const {
  return std::any_of(resolved.begin(), resolved.end(),
                     [](const OptionSetting& option) { return option.name == "center" && option.value == "source"; });
}

const MissingStream* Plan::find_missing(const Experiment& experiment, const StreamSpec& stream) const {
  for (const MissingStream& one : missing)
    if (one.experiment == &experiment && one.stream == &stream) return &one;
  return nullptr;
}

Plan make_plan(const std::vector<Experiment>& experiments, StreamShelf& shelf, bool skip_missing) {
  Plan plan;
  Planner planner(shelf);
  std::set<std::string> names;
  for (const Experiment& experiment : experiments) {
    if (!names.insert(experiment.name).second)
      refuse(fmt::format("{}: experiment {} is there already, must have a name of its own", experiment.file,
                         experiment.name));
    for (const StreamSpec& stream : experiment.streams) {
      const std::string file = shelf.missing_file(stream);
      if (file.empty()) {
        planner.add(experiment, stream);
        continue;
      }
      if (!skip_missing) refuse_missing(stream, file);
      plan.missing.push_back({&experiment, &stream, file});
    }
  }
  plan.runs = planner.finish();
  return plan;
}

}  // namespace stad::cli::bench
