#include "bench/plan/stream_spec.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <stad/eval/corruption.hpp>

#include "common/json_text.hpp"

namespace stad::cli::bench {
namespace {

/// A drawn stream comes with all that files would hold.
void check_simulated(const TomlTable& table) {
  for (const char* key : {"files", "models", "images", "head", "heads", "corruptions", "count"})
    if (table.has(key))
      refuse_at(table.place_of(key), fmt::format("{} stands beside simulated, must be one or the other", key));
}

/// Embeddings, or networks and images: one of the two, and whole.
void check_input(const TomlTable& table, const StreamSpec& stream) {
  if (table.has("models") && table.has("files"))
    refuse_at(table.place_of("files"), "files stands beside models, must be one or the other");
  if (table.has("models") && stream.images.empty())
    refuse_at(table.place_of("models"), "models stands without images, must have what the networks are shown");
  if (!stream.images.empty() && !table.has("models"))
    refuse_at(table.place_of("images"), "images stands without models, must have the networks they are shown to");
  if (table.has("models") && stream.models.empty())
    refuse_at(table.place_of("models"), "models is empty, must name at least one file");
  if (!stream.has_images() && stream.files.empty())
    refuse_at(table.place_of("files"), table.has("files")
                                           ? "files is empty, must name at least one file"
                                           : "files is missing, must be there, or models and images, or simulated");
  for (const char* key : {"head", "corruptions"})
    if (table.has(key) && !stream.has_images())
      refuse_at(table.place_of(key), fmt::format("{} stands without images, must stand beside models and images", key));
}

void read_corruptions(TomlTable& table, StreamSpec& stream) {
  const auto known = corruptions();
  stream.corruptions = table.texts("corruptions");
  if (table.has("corruptions") && stream.corruptions.empty())
    refuse_at(table.place_of("corruptions"), "corruptions is empty, must name at least one");
  if (stream.corruptions == std::vector<std::string>{"all"}) stream.corruptions.assign(known.begin(), known.end());
  for (const std::string& name : stream.corruptions)
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse_at(table.place_of("corruptions"),
                fmt::format("corruptions names {}, must be all or some of {}", name, fmt::join(known, ", ")));
  if (table.has("count") && stream.corruptions.empty())
    refuse_at(table.place_of("count"), "count stands without corruptions, must be the images of a severity");
  stream.count = table.integer("count", 1).value_or(stream.count);
}

void check_heads(const TomlTable& table, const StreamSpec& stream) {
  if (!stream.heads.empty() && stream.heads.size() != stream.networks())
    refuse_at(table.place_of("heads"),
              fmt::format("heads names {} files, must name {}, one for each of {}", stream.heads.size(),
                          stream.networks(), stream.has_images() ? "models" : "files"));
}

}  // namespace

std::vector<std::string> StreamSpec::all_files() const {
  std::vector<std::string> all = files;
  all.insert(all.end(), models.begin(), models.end());
  if (has_images()) all.push_back(images);
  all.insert(all.end(), heads.begin(), heads.end());
  return all;
}

std::vector<std::string> StreamSpec::showings() const {
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
    check_simulated(table);
  else
    check_input(table, stream);
  read_corruptions(table, stream);
  stream.heads = table.texts("heads");
  check_heads(table, stream);
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

}  // namespace stad::cli::bench
