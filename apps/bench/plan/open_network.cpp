#include "bench/plan/open_network.hpp"

#include <fmt/format.h>

#include "bench/plan/provenance.hpp"

namespace stad::cli::bench {
namespace {

/// The least an oracle can learn from: nobody asks this one.
ImageStream one_labelled(const ImageShape& shape) {
  ImageStream images{shape, FeatureStream::from(Matrix(1, shape.size()))};
  images.pixels.labels = {0};
  images.pixels.time = {0};
  return images;
}

Result<std::vector<OptionSetting>> options_of(const Result<AdapterPointer>& adapter) {
  if (!adapter) return adapter.error();
  return (*adapter)->options();
}

}  // namespace

OpenNetwork::OpenNetwork(BackbonePointer backbone, std::uint64_t fingerprint)
    : backbone_(std::move(backbone)),
      identity_{{"head", fmt::format("{:016x}", backbone_->source().fingerprint())},
                {"model", fmt::format("{:016x}", fingerprint)},
                {"layer", backbone_->info().head},
                {"component", component_fingerprint(*backbone_)}} {}

Result<std::vector<OptionSetting>> OpenNetwork::resolve(const std::string& method, const ImageShape& shape,
                                                        const OptionValues& options) const {
  const std::string key = json_text(Json{method, shape.channels, shape.height, shape.width, options});
  const auto found = resolved_.find(key);
  if (found != resolved_.end()) return found->second;
  auto resolved = method == "oracle" ? options_of(backbone_->make_oracle(one_labelled(shape), options))
                                     : options_of(backbone_->make_adapter(method, shape, options));
  return resolved_.emplace(key, std::move(resolved)).first->second;
}

}  // namespace stad::cli::bench
