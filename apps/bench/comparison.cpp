#include "bench/comparison.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "bench/run/run_record.hpp"
#include "common/error.hpp"

namespace stad::cli::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 1;  // of the bootstrap: equal results give equal comparisons

Json read_json(const fs::path& path) {
  std::ifstream file(path);
  if (!file) reject(path.string() + ": cannot be read; must be written by stad bench");
  try {
    return Json::parse(file);
  } catch (const std::exception& error) {
    reject(fmt::format("{}: is not JSON: {}", path.string(), error.what()));
  }
}

std::string detail_of(const Json& row) {
  std::string batches = fmt::format("batches of {}", row.at("batch_size").get<Index>());
  if (row.at("sweep").is_null()) return batches;
  const auto option = row.at("sweep").get<std::string>();
  return fmt::format("{}, {} = {}", batches, option, json_text(row.at("options").at(option)));
}

/// For messages; key_of() identifies cells unambiguously.
std::string cell_name(const Json& row) {
  return fmt::format("{}: {} on {}, {}, {}, {}", row.at("experiment").get<std::string>(),
                     row.at("title").get<std::string>(), row.at("stream").get<std::string>(),
                     row.at("setting").get<std::string>(), detail_of(row), row.at("protocol").get<std::string>());
}

std::string key_of(const Json& row) {
  return json_text(Json::array({row.at("experiment"), row.at("title"), row.at("stream"), row.at("setting"),
                                detail_of(row), row.at("protocol")}));
}

/// Network, corruption and order, by which the runs of a cell are paired.
std::string run_key(const Json& row) {
  return json_text(Json{row.at("network"), row.value("corruption", Json()), row.at("seed")});
}

using RunRows = std::map<std::string, Json>;

struct ReadResults {
  std::string directory;
  std::vector<std::string> order;  // keys of the cells
  std::map<std::string, RunRows> cells;

  std::string name_of(const std::string& key) const { return cell_name(cells.at(key).begin()->second); }
};

ReadResults read_results(const std::string& directory) {
  ReadResults results{directory, {}, {}};
  const fs::path path = fs::path(directory) / "results.json";
  const Json rows = read_json(path);
  if (!rows.is_array()) reject(path.string() + ": is not a result of stad bench: must be a list of rows");
  try {
    for (const Json& row : rows) {
      if (row.at("protocol") == "grid" || row.at("status") != "done") continue;
      const std::string key = key_of(row);
      if (!results.cells.contains(key)) results.order.push_back(key);
      results.cells[key][run_key(row)] = row;
    }
  } catch (const std::exception& error) {
    reject(fmt::format("{}: is not a result of stad bench: {}", path.string(), error.what()));
  }
  return results;
}

/// The content of the file of a run.
struct ReadRun {
  std::string stream;  ///< hash of its content
  RunRecord record;
};

ReadRun read_run(const std::string& directory, const Json& row) {
  const fs::path path = fs::path(directory) / row.value("record", "");
  const Json json = read_json(path);
  try {
    return {json.at("run").at("stream").get<std::string>(), record_from(json.at("result"))};
  } catch (const std::exception& error) {
    reject(fmt::format("{}: is not a run of stad bench: {}", path.string(), error.what()));
  }
}

std::string changed_options(const Json& a, const Json& b, bool other_data) {
  std::vector<std::string> changes;
  if (other_data) changes.emplace_back("the stream's contents");
  for (const auto& [name, value] : a.items())
    if (!b.contains(name) || b.at(name) != value)
      changes.push_back(
          fmt::format("{} = {} -> {}", name, json_text(value), b.contains(name) ? json_text(b.at(name)) : "none"));
  for (const auto& [name, value] : b.items())
    if (!a.contains(name)) changes.push_back(fmt::format("{} = none -> {}", name, json_text(value)));
  return fmt::format("{}", fmt::join(changes, ", "));
}

/// The runs of a cell by time step: the bootstrap draws a step of all networks and orders as one.
class PairedRuns {
 public:
  void add(const RunRecord& a, const RunRecord& b) {
    for (const StepScore& step : a.steps) {
      steps_[step.time].samples += step.samples;
      steps_[step.time].correct_a += static_cast<double>(step.correct);
    }
    for (const StepScore& step : b.steps) {
      steps_[step.time].correct_b += static_cast<double>(step.correct);
      samples_b_[step.time] += step.samples;
    }
  }

  bool same_steps() const {
    return steps_.size() == samples_b_.size() &&
           std::all_of(samples_b_.begin(), samples_b_.end(), [&](const auto& step) {
             const auto found = steps_.find(step.first);
             return found != steps_.end() && found->second.samples == step.second;
           });
  }

  void fill(ChangedCell& cell) const {
    std::vector<PairedStep> list;
    Index samples = 0;
    for (const auto& [time, step] : steps_) {
      list.push_back(step);
      samples += step.samples;
      cell.accuracy_a += step.correct_a;
      cell.accuracy_b += step.correct_b;
    }
    cell.accuracy_a /= static_cast<double>(samples);
    cell.accuracy_b /= static_cast<double>(samples);
    cell.difference = paired_bootstrap(list, kSeed);
  }

 private:
  std::map<double, PairedStep> steps_;
  std::map<double, Index> samples_b_;
};

/// None if the two differ in networks, orders, or numbers of samples in a step.
std::optional<ChangedCell> compare_cell(const ReadResults& a, const ReadResults& b, const std::string& key) {
  const RunRows &rows_a = a.cells.at(key), &rows_b = b.cells.at(key);
  PairedRuns pairs;
  bool other_data = false;
  for (const auto& [run, row] : rows_a) {
    const auto other = rows_b.find(run);
    if (other == rows_b.end() || rows_a.size() != rows_b.size()) return std::nullopt;
    const ReadRun run_a = read_run(a.directory, row), run_b = read_run(b.directory, other->second);
    pairs.add(run_a.record, run_b.record);
    other_data = other_data || run_a.stream != run_b.stream;
  }
  if (!pairs.same_steps()) return std::nullopt;
  const Json& first = rows_a.begin()->second;
  ChangedCell cell;
  cell.experiment = first.at("experiment");
  cell.stream = first.at("stream");
  cell.setting = first.at("setting");
  cell.title = first.at("title");
  cell.protocol = first.at("protocol");
  cell.detail = detail_of(first);
  cell.changed_options = changed_options(first.at("options"), rows_b.begin()->second.at("options"), other_data);
  pairs.fill(cell);
  return cell;
}

/// Holm's method over the cells that changed: cells with equal results are not tested.
void adjust(std::vector<ChangedCell>& cells) {
  std::vector<ChangedCell*> tested;
  std::vector<double> p_values;
  for (ChangedCell& cell : cells) {
    if (!cell.difference || cell.difference->p_value == 1) continue;
    tested.push_back(&cell);
    p_values.push_back(cell.difference->p_value);
  }
  const auto adjusted = holm(p_values);
  for (std::size_t i = 0; i < tested.size(); ++i) tested[i]->adjusted_p = adjusted[i];
}

}  // namespace

Comparison compare_results(const std::string& a_directory, const std::string& b_directory) {
  const ReadResults a = read_results(a_directory), b = read_results(b_directory);
  Comparison comparison;
  for (const std::string& key : a.order) {
    if (!b.cells.contains(key)) {
      comparison.only_a.push_back(a.name_of(key));
    } else if (auto cell = compare_cell(a, b, key)) {
      comparison.cells.push_back(*std::move(cell));
    } else {
      comparison.only_a.push_back(a.name_of(key) + " (different samples or orders)");
      comparison.only_b.push_back(b.name_of(key) + " (different samples or orders)");
    }
  }
  for (const std::string& key : b.order)
    if (!a.cells.contains(key)) comparison.only_b.push_back(b.name_of(key));
  adjust(comparison.cells);
  return comparison;
}

}  // namespace stad::cli::bench
