#include "torch/methods.hpp"

#include <array>

#include <fmt/format.h>

#include "adapt/monitored_adapter.hpp"
#include "base/try.hpp"
#include "torch/bn_adapter.hpp"
#include "torch/cmf_adapter.hpp"
#include "torch/cotta_adapter.hpp"
#include "torch/last_layer_adapter.hpp"
#include "torch/rotta_adapter.hpp"
#include "torch/sar_adapter.hpp"
#include "torch/shot_adapter.hpp"
#include "torch/tent_adapter.hpp"

namespace stad::backbone {
namespace {

/// Norm layers that a method requires of the network.
enum class NormRequirement { kNone, kBatchNorm, kScaleAndShift };

std::string describe_norms(const Network& network) {
  return fmt::format("the network has {} batch, {} layer and {} group norm layers", network.count(NormKind::kBatch),
                     network.count(NormKind::kLayer), network.count(NormKind::kGroup));
}

Status check_norms(std::string_view method, const Network& network, NormRequirement needs) {
  constexpr const char* kFrozen = "a model that was frozen (torch.jit.freeze) has batch norm folded away";
  if (needs == NormRequirement::kBatchNorm && network.count(NormKind::kBatch) == 0)
    return invalid(fmt::format("{}: needs batch norm layers, {}; {}", method, describe_norms(network), kFrozen));
  if (needs == NormRequirement::kScaleAndShift && network.norm_parameters().empty())
    return invalid(
        fmt::format("{}: needs norm layers with scale and shift, {}; {}", method, describe_norms(network), kFrozen));
  return {};
}

template <typename AdapterType, typename Options, NormRequirement kRequirement>
Result<AdapterPointer> make_method(SourceNetwork source_network, const OptionValues& values) {
  STAD_ASSIGN(const Options options, parse_options<Options>(values));
  STAD_TRY(check_norms(method_name(options), *source_network.network, kRequirement));
  return monitored(std::make_unique<AdapterType>(std::move(source_network), options));
}

struct NetworkMethodEntry {
  std::string_view name;
  Result<AdapterPointer> (*make)(SourceNetwork, const OptionValues&);
};

constexpr std::array kMethods{
    NetworkMethodEntry{"bn", &make_method<BnAdapter, BnOptions, NormRequirement::kBatchNorm>},
    NetworkMethodEntry{"tent", &make_method<TentAdapter, TentOptions, NormRequirement::kScaleAndShift>},
    NetworkMethodEntry{"cotta", &make_method<CottaAdapter, CottaOptions, NormRequirement::kNone>},
    NetworkMethodEntry{"shot", &make_method<ShotAdapter, ShotOptions, NormRequirement::kNone>},
    NetworkMethodEntry{"sar", &make_method<SarAdapter, SarOptions, NormRequirement::kScaleAndShift>},
    NetworkMethodEntry{"cmf", &make_method<CmfAdapter, CmfOptions, NormRequirement::kScaleAndShift>},
    NetworkMethodEntry{"rotta", &make_method<RottaAdapter, RottaOptions, NormRequirement::kScaleAndShift>},
};

/// The frozen network followed by a method that adapts the last layer.
Result<AdapterPointer> make_last_layer_adapter(std::string_view method, SourceNetwork source_network,
                                               const OptionValues& values, bool batch_norm) {
  STAD_ASSIGN(auto last_layer, make_adapter(method, source_network.source, values));
  return AdapterPointer(
      std::make_unique<LastLayerAdapter>(std::move(source_network), std::move(last_layer), batch_norm));
}

}  // namespace

Result<AdapterPointer> make_network_adapter(std::string_view method, SourceNetwork source_network,
                                            const OptionValues& values) {
  for (const NetworkMethodEntry& candidate : kMethods)
    if (candidate.name == method) return candidate.make(std::move(source_network), values);
  constexpr std::string_view kSuffix = "+bn";
  if (!method.ends_with(kSuffix)) return make_last_layer_adapter(method, std::move(source_network), values, false);
  STAD_TRY(check_norms(method, *source_network.network, NormRequirement::kBatchNorm));
  return make_last_layer_adapter(method.substr(0, method.size() - kSuffix.size()), std::move(source_network), values,
                                 true);
}

}  // namespace stad::backbone
