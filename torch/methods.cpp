#include "torch/methods.hpp"

#include <array>

#include <fmt/format.h>

#include "adapt/monitored_adapter.hpp"
#include "base/try.hpp"
#include "torch/bn_adapter.hpp"
#include "torch/cmf_adapter.hpp"
#include "torch/cotta_adapter.hpp"
#include "torch/frozen_adapter.hpp"
#include "torch/rotta_adapter.hpp"
#include "torch/sar_adapter.hpp"
#include "torch/shot_adapter.hpp"
#include "torch/tent_adapter.hpp"

namespace stad::backbone {
namespace {

/// What a method asks of the network.
enum class Needs { kNothing, kBatchNorm, kScaleAndShift };

std::string norms_found(const Network& network) {
  return fmt::format("the network has {} batch, {} layer and {} group norm layers", network.count(NormKind::kBatch),
                     network.count(NormKind::kLayer), network.count(NormKind::kGroup));
}

Status check_needs(std::string_view method, const Network& network, Needs needs) {
  constexpr const char* kFrozen = "a model that was frozen (torch.jit.freeze) has batch norm folded away";
  if (needs == Needs::kBatchNorm && network.count(NormKind::kBatch) == 0)
    return invalid(fmt::format("{}: needs batch norm layers, {}; {}", method, norms_found(network), kFrozen));
  if (needs == Needs::kScaleAndShift && network.norm_parameters().empty())
    return invalid(
        fmt::format("{}: needs norm layers with scale and shift, {}; {}", method, norms_found(network), kFrozen));
  return {};
}

template <typename AdapterType, typename Options, Needs kNeeds>
Result<AdapterPointer> make(Start start, const OptionValues& values) {
  STAD_ASSIGN(const Options options, parse_options<Options>(values));
  STAD_TRY(check_needs(method_name(options), *start.network, kNeeds));
  return monitored(std::make_unique<AdapterType>(std::move(start), options));
}

struct Entry {
  std::string_view name;
  Result<AdapterPointer> (*make)(Start, const OptionValues&);
};

constexpr std::array kMethods{
    Entry{"bn", &make<BnAdapter, BnOptions, Needs::kBatchNorm>},
    Entry{"tent", &make<TentAdapter, TentOptions, Needs::kScaleAndShift>},
    Entry{"cotta", &make<CottaAdapter, CottaOptions, Needs::kNothing>},
    Entry{"shot", &make<ShotAdapter, ShotOptions, Needs::kNothing>},
    Entry{"sar", &make<SarAdapter, SarOptions, Needs::kScaleAndShift>},
    Entry{"cmf", &make<CmfAdapter, CmfOptions, Needs::kScaleAndShift>},
    Entry{"rotta", &make<RottaAdapter, RottaOptions, Needs::kScaleAndShift>},
};

/// The network before a method of the last layer.
Result<AdapterPointer> make_frozen(std::string_view method, Start start, const OptionValues& values, bool batch_norm) {
  STAD_ASSIGN(auto last_layer, make_adapter(method, start.source, values));
  return AdapterPointer(std::make_unique<FrozenAdapter>(std::move(start), std::move(last_layer), batch_norm));
}

}  // namespace

Result<AdapterPointer> make_network_adapter(std::string_view method, Start start, const OptionValues& values) {
  for (const Entry& candidate : kMethods)
    if (candidate.name == method) return candidate.make(std::move(start), values);
  constexpr std::string_view kSuffix = "+bn";
  if (!method.ends_with(kSuffix)) return make_frozen(method, std::move(start), values, false);
  STAD_TRY(check_needs(method, *start.network, Needs::kBatchNorm));
  return make_frozen(method.substr(0, method.size() - kSuffix.size()), std::move(start), values, true);
}

}  // namespace stad::backbone
