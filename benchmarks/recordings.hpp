#pragma once

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <stad/eval/pipeline.hpp>
#include <stad/files.hpp>

#include "data/source_logits.hpp"

// Recorded streams and tables of gains over the source, for programs that measure what a constant is worth.

namespace stad::ablation {

inline constexpr double kHarm = -0.3;  // points

/// A recorded stream with the source's logits.
struct Recording {
  std::string data_set;
  std::string name;
  SourceModel source;
  FeatureStream stream;
  DoubleRows logits;
};

[[noreturn]] inline void fail(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  std::exit(1);
}

inline std::string data_set_of(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return file.parent_path().filename() == "pacs" ? "pacs" : name.substr(0, name.find('.'));
}

/// @param data holds corpus/*.npz and pacs/*.npz
inline std::vector<Recording> read_recordings(const std::filesystem::path& data) {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"corpus", "pacs"})
    if (std::filesystem::exists(data / folder))
      for (const auto& entry : std::filesystem::directory_iterator(data / folder))
        if (entry.path().extension() == ".npz") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Recording> recordings;
  for (const auto& file : files) {
    auto source = read_source(file.string());
    if (!source) fail(source.error().message);
    auto stream = read_stream(file.string());
    if (!stream) fail(stream.error().message);
    DoubleRows logits = source_logits(*source, stream->features);
    recordings.push_back(
        {data_set_of(file), file.stem().string(), *std::move(source), *std::move(stream), std::move(logits)});
  }
  if (recordings.empty()) fail(fmt::format("{}: no streams in corpus or pacs", data.string()));
  return recordings;
}

/// Gains over the source in points, one a cell.
struct GainTable {
  std::vector<std::string> data_sets, places;
  std::vector<double> gains;

  /// Number of cells below kHarm, and mean gain, over the cells for which keep(i) is true.
  template <typename Keep>
  std::pair<Index, double> criterion(const Keep& keep) const {
    Index harmed = 0, count = 0;
    double sum = 0;
    for (std::size_t i = 0; i < gains.size(); ++i)
      if (keep(i)) {
        harmed += gains[i] < kHarm ? 1 : 0;
        sum += gains[i];
        ++count;
      }
    return {harmed, sum / static_cast<double>(std::max<Index>(count, 1))};
  }
};

/// In how many folds, each without one data set, the variant has fewer cells below kHarm than the shipped constants,
/// or as many and a larger mean.
inline std::string preferred(const GainTable& shipped, const GainTable& variant) {
  std::vector<std::string> sets = shipped.data_sets;
  std::ranges::sort(sets);
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  Index folds = 0;
  for (const std::string& left_out : sets) {
    const auto keep = [&](std::size_t i) { return shipped.data_sets[i] != left_out; };
    const auto [own_harm, own_mean] = variant.criterion(keep);
    const auto [harm, mean] = shipped.criterion(keep);
    folds += own_harm < harm || (own_harm == harm && own_mean > mean) ? 1 : 0;
  }
  return fmt::format("{} of {}", folds, sets.size());
}

/// Calls work(i) for i from 0 to count - 1 on all processors.
template <typename Work>
void for_all(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t)
    threads.emplace_back([&] {
      for (std::size_t i; (i = next++) < count;) work(i);
    });
}

}  // namespace stad::ablation
