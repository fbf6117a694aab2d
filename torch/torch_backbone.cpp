#include "torch/torch_backbone.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "adapt/monitored_adapter.hpp"
#include "base/flush_subnormals.hpp"
#include "base/try.hpp"
#include "torch/methods.hpp"
#include "torch/network.hpp"
#include "torch/oracle_adapter.hpp"
#include "torch/tensors.hpp"

namespace stad::backbone {
namespace {

Result<SourceModel> head_of(const Network& network) {
  const at::Tensor& weight = network.weights()[network.head_weight()];
  if (weight.dim() != 2)
    return invalid(fmt::format("the weight of {} has {} dimensions, must have 2", network.head(), weight.dim()));
  std::vector<float> bias;
  if (network.has_head_bias()) {
    const at::Tensor values = network.weights()[network.head_bias()].contiguous();
    bias.assign(values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
  }
  return SourceModel::create(to_rows(weight), std::move(bias));
}

BackboneInfo info_of(const Network& network) {
  BackboneInfo info{.head = network.head()};
  for (const std::size_t index : network.parameters()) info.parameters += network.weights()[index].numel();
  info.batch_norms = network.count(NormKind::kBatch);
  info.layer_norms = network.count(NormKind::kLayer);
  info.group_norms = network.count(NormKind::kGroup);
  return info;
}

bool same_head(const SourceModel& a, const SourceModel& b) {
  return a.weight() == b.weight() && std::ranges::equal(a.bias(), b.bias());
}

}  // namespace

TorchBackbone::TorchBackbone(NetworkPointer network, SourceModel source)
    : network_(std::move(network)), source_(std::move(source)), info_(info_of(*network_)) {}

Result<BackbonePointer> TorchBackbone::open(std::span<const std::byte> file, const std::string& head) {
  STAD_ASSIGN(auto graph, read_graph(file, head));
  auto network = std::make_shared<const Network>(std::move(graph));
  STAD_ASSIGN(auto source, head_of(*network));
  return BackbonePointer(new TorchBackbone(std::move(network), std::move(source)));
}

Result<BackbonePointer> TorchBackbone::with_source(const SourceModel& source) const {
  if (!same_head(source, source_))
    return invalid(fmt::format("the head differs from the network's layer {}, must be the same", info_.head));
  return BackbonePointer(new TorchBackbone(network_, source));
}

Status TorchBackbone::check_shape(const ImageShape& shape) const {
  const std::string text = fmt::format("{} x {} x {}", shape.channels, shape.height, shape.width);
  if (shape.channels < 1 || shape.height < 1 || shape.width < 1)
    return invalid(fmt::format("images are {}, must be at least 1 x 1 x 1", text));
  try {
    const at::NoGradGuard no_grad;
    const auto outputs = network_->run(at::zeros({2, shape.channels, shape.height, shape.width}), network_->weights(),
                                       source_statistics());
    if (outputs.logits.dim() != 2 || outputs.logits.size(0) != 2)
      return invalid(
          fmt::format("layer {} returns {} dimensions for each image, must return one row of logits for each image",
                      info_.head, outputs.logits.dim() - 1));
    return {};
  } catch (const std::exception& error) {
    return invalid(fmt::format("the network does not take images of {} (channels x height x width): {}", text,
                               error_message(error)));
  }
}

Result<Matrix> TorchBackbone::features(MatrixView images, ImageShape shape) const {
  STAD_TRY(check_shape(shape));
  if (images.cols != shape.size())
    return invalid(fmt::format("images have {} values, must have {}", images.cols, shape.size()));
  const FlushSubnormals flush;
  try {
    return embed_images(*network_, images, shape);
  } catch (const std::exception& error) {
    return failed(error_message(error));
  }
}

Result<AdapterPointer> TorchBackbone::make_adapter(std::string_view method, ImageShape shape,
                                                   const OptionValues& values) const {
  STAD_TRY(check_shape(shape));
  return make_network_adapter(method, {network_, source_, shape}, values);
}

Result<AdapterPointer> TorchBackbone::make_oracle(const ImageStream& labelled, const OptionValues& values) const {
  STAD_ASSIGN(const auto options, parse_options<OracleOptions>(values));
  STAD_TRY(check_shape(labelled.shape));
  const FeatureStream& rows = labelled.pixels;
  if (static_cast<Index>(rows.labels.size()) != rows.features.rows)
    return invalid(fmt::format("{}: has {} labels for {} images, the oracle requires one for each", rows.name,
                               rows.labels.size(), rows.features.rows));
  for (std::size_t i = 0; i < rows.labels.size(); ++i)
    if (rows.labels[i] < 0 || rows.labels[i] >= source_.classes())
      return invalid(fmt::format("{}: labels row {} is {}, must be from 0 to {}", rows.name, i, rows.labels[i],
                                 source_.classes() - 1));
  return monitored(std::make_unique<OracleAdapter>(SourceNetwork{network_, source_, labelled.shape}, options, rows));
}

}  // namespace stad::backbone
