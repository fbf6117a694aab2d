#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <stad/backbone.hpp>
#include <stad/options.hpp>

#include "base/random.hpp"
#include "base/try.hpp"

namespace stad {
namespace {

/// Rows grouped by time, each group in random order.
std::map<double, std::vector<Index>> shuffled_steps(const FeatureStream& stream, std::uint64_t seed) {
  std::map<double, std::vector<Index>> steps;
  for (Index row = 0; row < stream.features.rows; ++row) steps[stream.has_time() ? stream.time[row] : 0].push_back(row);
  Random random(seed);
  for (auto& [time, rows] : steps) random.shuffle(rows);
  return steps;
}

Status check_labels(const FeatureStream& stream) {
  if (!stream.has_labels()) return invalid(fmt::format("{}: has no labels, the oracle requires them", stream.name));
  const auto unknown = std::ranges::find(stream.labels, kNoClass);
  if (unknown == stream.labels.end()) return {};
  return invalid(fmt::format("{}: labels row {} is {}, must be a class: the oracle requires a label for every row",
                             stream.name, unknown - stream.labels.begin(), kNoClass));
}

}  // namespace

Result<LabelledSplit> split_labelled(const ImageStream& images, const OptionValues& values) {
  STAD_ASSIGN(const auto options, parse_options<OracleOptions>(values));
  STAD_TRY(check_labels(images.pixels));
  std::vector<Index> labelled, scored;
  for (const auto& [time, rows] : shuffled_steps(images.pixels, static_cast<std::uint64_t>(options.seed))) {
    const auto share = std::llround(options.share * static_cast<double>(rows.size()));
    const auto middle = rows.begin() + std::min<std::ptrdiff_t>(std::max<std::ptrdiff_t>(share, 1), std::ssize(rows));
    labelled.insert(labelled.end(), rows.begin(), middle);
    scored.insert(scored.end(), middle, rows.end());
  }
  std::ranges::sort(labelled);
  std::ranges::sort(scored);  // in the order of the stream, as for every other method
  return LabelledSplit{select_images(images, labelled), select_images(images, scored)};
}

}  // namespace stad
