#include "bench/plan/stream_spec.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <stad/eval/corruption.hpp>

#include "common/json_text.hpp"
#include "common/named_values.hpp"

namespace stad::cli::bench {
namespace {

/// A simulated stream has no files.
void check_no_files(const TomlTable& table) {
  for (const char* key : {"files", "models", "images", "head", "heads", "corruptions", "count"})
    if (table.has(key)) reject_at(table.place_of(key), fmt::format("{} and simulated exclude each other", key));
}

/// Either embeddings, or both networks and images.
void check_stream_files(const TomlTable& table, const StreamSpec& stream) {
  if (table.has("models") && table.has("files"))
    reject_at(table.place_of("files"), "files and models exclude each other");
  if (table.has("models") && stream.images.empty())
    reject_at(table.place_of("models"), "models requires images, the input of the networks");
  if (!stream.images.empty() && !table.has("models"))
    reject_at(table.place_of("images"), "images requires models, the networks to run on them");
  if (table.has("models") && stream.models.empty())
    reject_at(table.place_of("models"), "models is empty, must name at least one file");
  if (!stream.has_images() && stream.files.empty())
    reject_at(table.place_of("files"), table.has("files")
                                           ? "files is empty, must name at least one file"
                                           : "files is missing, must be given, or models and images, or simulated");
  for (const char* key : {"head", "corruptions"})
    if (table.has(key) && !stream.has_images())
      reject_at(table.place_of(key), fmt::format("{} requires models and images", key));
}

void read_corruptions(TomlTable& table, StreamSpec& stream) {
  const auto known = corruptions();
  stream.corruptions = table.texts("corruptions");
  if (table.has("corruptions") && stream.corruptions.empty())
    reject_at(table.place_of("corruptions"), "corruptions is empty, must name at least one");
  if (stream.corruptions == std::vector<std::string>{"all"}) stream.corruptions.assign(known.begin(), known.end());
  for (const std::string& name : stream.corruptions)
    if (std::find(known.begin(), known.end(), name) == known.end())
      reject_at(table.place_of("corruptions"),
                fmt::format("corruptions names {}, must be all or some of {}", name, fmt::join(known, ", ")));
  if (table.has("count") && stream.corruptions.empty())
    reject_at(table.place_of("count"), "count requires corruptions: it is the number of images per severity");
  stream.count = table.integer("count", 1).value_or(stream.count);
}

void check_heads(const TomlTable& table, const StreamSpec& stream) {
  if (!stream.heads.empty() && stream.heads.size() != stream.networks())
    reject_at(table.place_of("heads"),
              fmt::format("heads names {} files, must name {}, one for each of {}", stream.heads.size(),
                          stream.networks(), stream.has_images() ? "models" : "files"));
}

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

std::vector<std::string> StreamSpec::all_files() const {
  std::vector<std::string> all = files;
  all.insert(all.end(), models.begin(), models.end());
  if (has_images()) all.push_back(images);
  all.insert(all.end(), heads.begin(), heads.end());
  return all;
}

std::vector<std::string> StreamSpec::corruption_variants() const {
  return corruptions.empty() ? std::vector<std::string>{""} : corruptions;
}

std::size_t StreamSpec::networks() const {
  if (is_simulated()) return simulated.seeds.size();
  return has_images() ? models.size() : files.size();
}

std::string step_name(const StreamSpec& stream, double time) {
  const std::string stamp = json_text(time_value(time));
  const auto found = stream.step_names.find(stamp);
  return found == stream.step_names.end() ? stamp : found->second;
}

StreamSpec read_stream_spec(TomlTable table) {
  StreamSpec stream;
  stream.place = table.place();
  stream.name = table.text("name");
  stream.files = table.texts("files");
  stream.models = table.texts("models");
  stream.images = table.text("images", "");
  stream.head = table.text("head", "");
  stream.simulated = read_simulated_spec(table);
  if (stream.is_simulated())
    check_no_files(table);
  else
    check_stream_files(table, stream);
  read_corruptions(table, stream);
  stream.heads = table.texts("heads");
  check_heads(table, stream);
  stream.card = table.flag("card", stream.card);
  stream.since = table.number("since");
  stream.until = table.number("until");
  stream.sort_by_time = table.flag("sort_by_time", false);
  stream.time_name = table.text("time_name", stream.time_name);
  if (auto names = table.table("step_names"))
    for (const std::string& stamp : names->keys()) stream.step_names[stamp] = names->text(stamp);
  stream.about = table.text("about", "");
  table.finish("[[streams]]");
  return stream;
}

SimulationSettings SimulatedSpec::with_seed(std::size_t number) const {
  SimulationSettings seeded = settings;
  seeded.seed = seeds[number];
  return seeded;
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
  if (!table && stream.has("seeds")) reject_at(stream.place_of("seeds"), "seeds requires simulated");
  if (!table) return spec;
  if (spec.seeds.empty())
    reject_at(stream.place_of("seeds"),
              fmt::format("seeds is {}, must name at least one", stream.has("seeds") ? "empty" : "missing"));
  spec.settings = read_settings(std::move(*table));
  return spec;
}

}  // namespace stad::cli::bench
