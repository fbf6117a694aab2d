#include "cli/extraction.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "common/interruption.hpp"
#include "common/progress.hpp"

namespace stad::cli {
namespace {

constexpr Index kRowsBetweenTwoLooks = 512;

bool lies_between(double time, const std::optional<double>& since, const std::optional<double>& until) {
  return (!since || time >= *since) && (!until || time <= *until);
}

}  // namespace

FeatureStream extract_features(const Backbone& network, const ImageStream& images, bool show_progress) {
  const MatrixView pixels = images.pixels.features;
  const InterruptionWatch watch;
  ProgressBar bar("features", show_progress);
  Matrix all(pixels.rows, network.source().dimension());
  for (Index first = 0; first < pixels.rows; first += kRowsBetweenTwoLooks) {
    const Index count = std::min(kRowsBetweenTwoLooks, pixels.rows - first);
    const Matrix rows = need(network.features(pixels.rows_from(first, count), images.shape));
    std::copy_n(rows.data(), rows.size(), all.row(first).data());
    bar.show(first + count, pixels.rows);
    watch.check();
  }
  FeatureStream features = FeatureStream::from(std::move(all));
  features.name = images.pixels.name;
  features.labels = images.pixels.labels;
  features.time = images.pixels.time;
  features.batch_sizes = images.pixels.batch_sizes;
  return features;
}

SourceModel head_with_mean(const Backbone& network, const FeatureStream& features,
                           const std::function<bool(Index row)>& chosen) {
  const SourceModel& head = network.source();
  std::vector<double> sum(static_cast<std::size_t>(head.dimension()));
  Index count = 0;
  for (Index row = 0; row < features.features.rows; ++row) {
    if (!chosen(row)) continue;
    ++count;
    std::ranges::transform(sum, features.features.row(row), sum.begin(), std::plus<double>());
  }
  if (count == 0) reject(fmt::format("{}: has no image for the feature mean, must have at least 1", features.name));
  std::vector<float> mean;
  for (const double value : sum) mean.push_back(static_cast<float>(value / static_cast<double>(count)));
  const auto names = head.has_class_names() ? head.class_names() : std::vector<std::string>();
  return need(SourceModel::create(head.weight(), {head.bias().begin(), head.bias().end()}, std::move(mean), names));
}

std::vector<Index> rows_between(const ImageStream& images, const std::optional<double>& since,
                                const std::optional<double>& until) {
  const FeatureStream& all = images.pixels;
  if ((since || until) && !all.has_time())
    reject(fmt::format("{}: has no time, which --since and --until need", all.name));
  std::vector<Index> rows;
  for (Index row = 0; row < all.features.rows; ++row)
    if (!all.has_time() || lies_between(all.time[static_cast<std::size_t>(row)], since, until)) rows.push_back(row);
  if (rows.empty()) reject(fmt::format("{}: has no images between --since and --until", all.name));
  return rows;
}

}  // namespace stad::cli
