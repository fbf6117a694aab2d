#include "bench/run/run_store.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <stad/files.hpp>

#include "common/error.hpp"

namespace stad::cli::bench {

namespace fs = std::filesystem;

RunStore::RunStore(const std::string& directory) : directory_(directory) {
  std::error_code error;
  fs::create_directories(fs::path(directory) / "runs", error);
  if (error) reject(fmt::format("--out {}: cannot be made: {}", directory, error.message()));
  for (const fs::path& folder : {fs::path(directory), fs::path(directory) / "runs"})
    if (access(folder.c_str(), W_OK | X_OK) != 0) reject(fmt::format("--out {}: cannot be written", folder.string()));
}

std::string RunStore::file_of(const PlannedRun& run) { return "runs/" + run.key + ".json"; }

std::optional<RunRecord> RunStore::find(const PlannedRun& run) const {
  std::ifstream file(fs::path(directory_) / file_of(run));
  if (!file) return std::nullopt;
  try {
    const Json json = Json::parse(file);
    if (json.at("run") == run.identity) return record_from(json.at("result"));
  } catch (const std::exception&) {
    // Not one of ours, or torn: it is run again and replaced.
  }
  return std::nullopt;
}

void RunStore::keep(const PlannedRun& run, const RunRecord& record) const {
  const Json json{{"run", run.identity}, {"result", to_json(record)}};
  need(write_text((fs::path(directory_) / file_of(run)).string(), json_text(json) + "\n"));
}

}  // namespace stad::cli::bench
