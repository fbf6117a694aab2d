#include "bench/plan/run_plan.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include <stad/backbone.hpp>

#include "bench/plan/method_spec.hpp"
#include "bench/plan/provenance.hpp"
#include "common/error.hpp"

namespace stad::cli::bench {
namespace {

bool contains(const std::vector<Index>& sizes, Index size) {
  return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

/// The projection shows the first network, corruption and order.
bool is_projected(const PlannedRun& run) {
  const auto& map = run.experiment->projection;
  return map && map->stream == run.stream->name && map->setting == run.setting->name &&
         map->title == run.method->title && run.network == 0 &&
         run.corruption == run.stream->corruption_variants().front() && run.seed == run.setting->seeds.front();
}

class Planner {
 public:
  explicit Planner(StreamLoader& loader) : loader_(loader) {}

  void add(const Experiment& experiment, const StreamSpec& stream) {
    for (std::size_t n = 0; n < stream.networks(); ++n)
      for (const std::string& corruption : stream.corruption_variants())
        for (const SettingSpec& setting : experiment.settings)
          for (const MethodSpec& method : experiment.methods) {
            if (method.name.empty() || !applies(method, stream, setting)) continue;
            if (static_cast<Index>(n) >= method.limits.networks.value_or(stream.networks())) continue;
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
        &loader_.open(*run.stream, {run.network, run.corruption, method.limits.count.value_or(run.stream->count)});
    if (checked_.insert({run.data, run.stream, run.setting}).second) check_network(run);
    check_values(method, *run.data);
    add_candidates(run);
  }

  void add_candidates(PlannedRun run) {
    const MethodSpec& method = *run.method;
    const std::vector<std::string> no_sweep{""};
    for (const std::string& value : method.sweep ? method.sweep->values : no_sweep)
      for (const GridPoint& candidate : grid_points(method)) {
        run.choice = candidate.choice;
        run.options = candidate.options;
        run.sweep_value = value;
        if (method.sweep) run.options.emplace_back(method.sweep->name, value);
        if (method.labels) add_label_budget(run);
        run.resolved = need_at(method.place, run.data->resolve(method.name, run.options));
        add_batches(run);
      }
  }

  /// The labels of the method for the rows of the stream that are used.
  static void add_label_budget(PlannedRun& run) {
    Index rows = 0;
    for (const PlannedBatch& batch : need_at(run.stream->place, plan_batches(run.data->outline(), run.batches())))
      rows += static_cast<Index>(batch.rows.size());
    run.options.emplace_back("label_budget", fmt::to_string(*run.method->labels));
    run.options.emplace_back("label_period", fmt::to_string(rows));
  }

  void add_batches(PlannedRun run) {
    const RunLimits& limits = run.method->limits;
    run.watch_health = run.experiment->shows(Exhibit::kHealth);
    run.follow_prototypes = run.experiment->shows(Exhibit::kFidelity) && !run.method->adapts_network;
    for (const Index size : run.setting->batch_sizes) {
      if (!limits.batch_sizes.empty() && !contains(limits.batch_sizes, size)) continue;
      Index orders = 0;
      for (const std::uint64_t seed : run.setting->seeds) {
        if (limits.orders && orders++ == *limits.orders) break;
        run.batch_size = size;
        run.seed = seed;
        add_run(run);
      }
    }
  }

  void add_run(PlannedRun run) {
    run.projection = is_projected(run) ? &*run.experiment->projection : nullptr;
    if (run.projection) check_projection(run);
    run.identity = identity_of(run, program_);
    run.key = key_of(run.identity);
    runs_.push_back(std::move(run));
  }

  StreamLoader& loader_;
  std::string program_ = program_fingerprint();
  std::set<std::tuple<const RunData*, const StreamSpec*, const SettingSpec*>> checked_;
  std::vector<PlannedRun> runs_;
};

/// The reason why the stream cannot be loaded, if any.
std::optional<MissingStream> find_missing(const Experiment& experiment, const StreamSpec& stream,
                                          const StreamLoader& loader) {
  if (const std::string file = loader.missing_file(stream); !file.empty())
    return MissingStream{&experiment, &stream, file, file + " does not exist"};
  if (!stream.has_images()) return std::nullopt;
  const auto found = find_torch();
  if (found) return std::nullopt;
  return MissingStream{&experiment, &stream, "", found.error().message};
}

[[noreturn]] void reject_missing(const MissingStream& missing) {
  const StreamSpec& stream = *missing.stream;
  const bool has_about = !missing.file.empty() && !stream.about.empty();
  reject_at(stream.place,
            fmt::format("stream {}: {}{}", stream.name, missing.reason, has_about ? ". " + stream.about : ""));
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
  std::optional<LateLabels> late_labels;
  if (method->labels) late_labels = LateLabels{.delay = method->label_delay, .requested = true};
  return {.batch_size = batch_size,
          .order = setting->order,
          .seed = seed,
          .since = stream->since,
          .until = stream->until,
          .sort_by_time = stream->sort_by_time,
          .across_steps = setting->across_steps,
          .late_labels = late_labels};
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

Plan make_plan(const std::vector<Experiment>& experiments, StreamLoader& loader, bool skip_missing) {
  Plan plan;
  Planner planner(loader);
  std::set<std::string> names;
  for (const Experiment& experiment : experiments) {
    if (!names.insert(experiment.name).second)
      reject(
          fmt::format("{}: experiment {} is defined twice, must have a unique name", experiment.file, experiment.name));
    for (const StreamSpec& stream : experiment.streams) {
      const auto missing = find_missing(experiment, stream, loader);
      if (missing && !skip_missing) reject_missing(*missing);
      if (missing)
        plan.missing.push_back(*missing);
      else
        planner.add(experiment, stream);
    }
  }
  plan.runs = planner.finish();
  return plan;
}

Json identity_of(const PlannedRun& run, const std::string& program) {
  Json options = Json::object();
  for (const OptionSetting& option : run.resolved) options[option.name] = option.value;
  const StreamSpec& stream = *run.stream;
  Json identity{{"program", program},
                {"stream", run.data->identity().at("stream")},
                {"head", run.data->identity().at("head")},
                {"card", run.data->identity().at("card")},
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
  if (run.method->labels) identity["label_delay"] = run.method->label_delay;
  if (run.data->images()) {
    identity.update(run.data->identity());
    identity["takes_images"] = run.takes_images();
  }
  if (run.experiment->alone) identity["machine"] = machine_name();  // its result is a time
  if (const ProjectionSpec* map = run.projection)
    identity["projection"] = {map->time, map->points, map->perplexity, map->seed};
  return identity;
}

std::string key_of(const Json& identity) {
  ContentHash hash;
  const std::string text = json_text(identity);
  hash.add(std::as_bytes(std::span(text)));
  return fmt::format("{:016x}", hash.value());
}

}  // namespace stad::cli::bench
