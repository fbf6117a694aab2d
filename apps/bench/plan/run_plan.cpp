#include "bench/plan/run_plan.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include <stad/backbone.hpp>

#include "bench/plan/grid_points.hpp"
#include "bench/plan/provenance.hpp"
#include "bench/plan/run_checks.hpp"
#include "bench/plan/run_identity.hpp"
#include "common/error.hpp"

namespace stad::cli::bench {
namespace {

bool contains(const std::vector<Index>& sizes, Index size) {
  return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

/// The map is of the first network and order.
bool is_drawn(const PlannedRun& run) {
  const auto& map = run.experiment->projection;
  return map && map->stream == run.stream->name && map->setting == run.setting->name &&
         map->title == run.method->title && run.network == 0 && run.corruption == run.stream->showings().front() &&
         run.seed == run.setting->seeds.front();
}

class Planner {
 public:
  explicit Planner(StreamShelf& shelf) : shelf_(shelf) {}

  void add(const Experiment& experiment, const StreamSpec& stream) {
    for (std::size_t n = 0; n < stream.networks(); ++n)
      for (const std::string& corruption : stream.showings())
        for (const SettingSpec& setting : experiment.settings)
          for (const MethodSpec& method : experiment.methods) {
            if (method.name.empty() || !applies(method, stream, setting)) continue;
            if (static_cast<Index>(n) >= method.thrift.networks.value_or(stream.networks())) continue;
            PlannedRun run(experiment, stream, setting, method);
            run.network = n;
            run.corruption = corruption;
            add_method(run);
          }
  }

  std::vector<PlannedRun> finish() { return std::move(runs_); }

 private:
  void add_method(PlannedRun run) {
    const MethodSpec& method = *run.method;
    run.data =
        &shelf_.open(*run.stream, {run.network, run.corruption, method.thrift.count.value_or(run.stream->count)});
    if (checked_.insert({run.data, run.stream, run.setting}).second) check_network(run);
    check_values(method, *run.data);
    add_candidates(run);
  }

  void add_candidates(PlannedRun run) {
    const MethodSpec& method = *run.method;
    const std::vector<std::string> unswept{""};
    for (const std::string& value : method.sweep ? method.sweep->values : unswept)
      for (const GridPoint& candidate : grid_points(method)) {
        run.choice = candidate.choice;
        run.options = candidate.options;
        run.sweep_value = value;
        if (method.sweep) run.options.emplace_back(method.sweep->name, value);
        run.resolved = need_at(method.place, run.data->resolve(method.name, run.options));
        add_batches(run);
      }
  }

  void add_batches(PlannedRun run) {
    const Thrift& thrift = run.method->thrift;
    run.watch_health = run.experiment->shows(Exhibit::kHealth);
    run.follow_prototypes = run.experiment->shows(Exhibit::kFidelity) && !run.method->adapts_network;
    for (const Index size : run.setting->batch_sizes) {
      if (!thrift.batch_sizes.empty() && !contains(thrift.batch_sizes, size)) continue;
      Index orders = 0;
      for (const std::uint64_t seed : run.setting->seeds) {
        if (thrift.orders && orders++ == *thrift.orders) break;
        run.batch_size = size;
        run.seed = seed;
        add_run(run);
      }
    }
  }

  void add_run(PlannedRun run) {
    run.projection = is_drawn(run) ? &*run.experiment->projection : nullptr;
    if (run.projection) check_projection(run);
    run.identity = identity_of(run, program_);
    run.key = key_of(run.identity);
    runs_.push_back(std::move(run));
  }

  StreamShelf& shelf_;
  std::string program_ = program_fingerprint();
  std::set<std::tuple<const RunData*, const StreamSpec*, const SettingSpec*>> checked_;
  std::vector<PlannedRun> runs_;
};

/// Why the stream cannot be opened here, or nothing.
std::optional<MissingStream> find_missing(const Experiment& experiment, const StreamSpec& stream,
                                          const StreamShelf& shelf) {
  if (const std::string file = shelf.missing_file(stream); !file.empty())
    return MissingStream{&experiment, &stream, file, file + " does not exist"};
  if (!stream.has_images()) return std::nullopt;
  const auto found = find_torch();
  if (found) return std::nullopt;
  return MissingStream{&experiment, &stream, "", found.error().message};
}

[[noreturn]] void refuse_missing(const MissingStream& missing) {
  const StreamSpec& stream = *missing.stream;
  const bool help = !missing.file.empty() && !stream.about.empty();
  refuse_at(stream.place, fmt::format("stream {}: {}{}", stream.name, missing.reason, help ? ". " + stream.about : ""));
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
      reject(fmt::format("{}: experiment {} is there already, must have a name of its own", experiment.file,
                         experiment.name));
    for (const StreamSpec& stream : experiment.streams) {
      const auto missing = find_missing(experiment, stream, shelf);
      if (missing && !skip_missing) refuse_missing(*missing);
      if (missing)
        plan.missing.push_back(*missing);
      else
        planner.add(experiment, stream);
    }
  }
  plan.runs = planner.finish();
  return plan;
}

}  // namespace stad::cli::bench
