#include "cli/network.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include <stad/files.hpp>

#include "cli/command.hpp"
#include "common/interruption.hpp"
#include "common/progress.hpp"

namespace stad::cli {
namespace {

constexpr Index kRowsPerForwardPass = 512;  // also the granularity of progress and of interruption

bool lies_between(double time, const std::optional<double>& since, const std::optional<double>& until) {
  return (!since || time >= *since) && (!until || time <= *until);
}

}  // namespace

void prepare_for_networks() {
  mallopt(M_MMAP_MAX, 0);         // large blocks come from the heap, not from mmap
  mallopt(M_TRIM_THRESHOLD, -1);  // freed memory stays with the process
  mallopt(M_TOP_PAD, 64 << 20);   // the heap grows in large steps
  mallopt(M_ARENA_MAX, 1);        // one heap for all threads: the size of further arenas is bounded
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
}

BackbonePointer open_network(const std::string& model, const std::string& head, const std::string& source) {
  prepare_for_networks();
  auto network = need(open_backbone(model, head));
  if (source.empty()) return network;
  auto with_source = network->with_source(need(read_source(source)));
  if (!with_source) reject(fmt::format("{}: {}", source, with_source.error().message));
  return *std::move(with_source);
}

std::string network_text(const BackboneInfo& info, const SourceModel& source) {
  std::string text = fmt::format("head {} ({} -> {})", info.head, source.dimension(), source.classes());
  const std::pair<Index, const char*> norms[] = {
      {info.batch_norms, "batch"}, {info.layer_norms, "layer"}, {info.group_norms, "group"}};
  for (const auto& [count, kind] : norms)
    if (count > 0) text += fmt::format(", {} {} norm layer{}", count, kind, count == 1 ? "" : "s");
  return text + fmt::format(", {} parameters", info.parameters);
}

FeatureStream extract_features(const Backbone& network, const ImageStream& images, bool show_progress) {
  const MatrixView pixels = images.pixels.features;
  const InterruptionWatch watch;
  ProgressBar bar("features", show_progress);
  Matrix all(pixels.rows, network.source().dimension());
  for (Index first = 0; first < pixels.rows; first += kRowsPerForwardPass) {
    const Index count = std::min(kRowsPerForwardPass, pixels.rows - first);
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
                           const std::function<bool(Index row)>& is_selected) {
  const SourceModel& head = network.source();
  std::vector<double> sum(static_cast<std::size_t>(head.dimension()));
  Index count = 0;
  for (Index row = 0; row < features.features.rows; ++row) {
    if (!is_selected(row)) continue;
    ++count;
    std::ranges::transform(sum, features.features.row(row), sum.begin(), std::plus<>());
  }
  if (count == 0) reject(fmt::format("{}: has no image for the feature mean, must have at least 1", features.name));
  std::vector<float> mean;
  mean.reserve(sum.size());
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
