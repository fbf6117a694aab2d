#include <stad/methods.hpp>

#include <array>

#include <fmt/format.h>

#include <stad/options.hpp>

#include "adapt/lame_adapter.hpp"
#include "adapt/monitored_adapter.hpp"
#include "adapt/normalise_adapter.hpp"
#include "adapt/prior_adapter.hpp"
#include "adapt/rules.hpp"
#include "adapt/source_adapter.hpp"
#include "adapt/stad_gauss_adapter.hpp"
#include "adapt/stad_safe_adapter.hpp"
#include "adapt/stad_vmf_adapter.hpp"
#include "adapt/t3a_adapter.hpp"
#include "base/try.hpp"

namespace stad {
namespace {

template <typename AdapterType, typename Options>
Result<AdapterPointer> build(const SourceModel& source, const Options& options) {
  return monitored(std::make_unique<AdapterType>(source, options));
}

template <typename Options>
Result<AdapterPointer> make_from_text(const SourceModel& source, const OptionValues& values) {
  STAD_ASSIGN(const Options options, parse_options<Options>(values));
  return make_adapter(source, options);
}

/// The methods on embeddings by name.
struct MethodEntry {
  const char* name;
  const char* summary;
  Result<AdapterPointer> (*make)(const SourceModel&, const OptionValues&);
  std::vector<OptionInfo> (*describe)();
};

template <typename Options>
constexpr MethodEntry entry(const char* name, const char* summary) {
  return {name, summary, &make_from_text<Options>, &describe_options<Options>};
}

constexpr std::array kMethods{
    entry<SourceOptions>("source", "the classifier as it was trained: softmax(W h + b)"),
    entry<T3aOptions>("t3a", "class weights from the most certain features seen so far"),
    entry<LameOptions>("lame", "corrects probabilities so that neighbours inside a batch agree; keeps no state"),
    entry<StadVmfOptions>("stad-vmf", "tracks class prototypes on the unit sphere, linear in the dimension"),
    entry<StadGaussOptions>("stad-gauss", "tracks class prototypes by a mixture of Kalman filters, for low dimensions"),
    entry<NormaliseOptions>("normalise", "the source on features whose running mean and variance are restored"),
    entry<PriorOptions>("prior", "the source corrected by class proportions estimated from recent rows"),
    entry<StadSafeOptions>("stad-safe",
                           "the source, or label chains where labels persist, or what few labels prove to be better"),
};

/// The same for methods that the torch component implements.
struct NetworkMethodInfo {
  const char* name;
  const char* summary;
  std::vector<OptionInfo> (*describe)();
};

constexpr std::array kNetworkMethods{
    NetworkMethodInfo{"bn", "normalises with the statistics of what arrives", &describe_options<BnOptions>},
    NetworkMethodInfo{"tent", "entropy minimisation over the scale and shift of norm layers",
                      &describe_options<TentOptions>},
    NetworkMethodInfo{"cotta", "a teacher averaged over weights and augmented views, with stochastic restore",
                      &describe_options<CottaOptions>},
    NetworkMethodInfo{"shot", "information maximisation with confident pseudo-labels over the whole extractor",
                      &describe_options<ShotOptions>},
    NetworkMethodInfo{"sar", "entropy minimisation on reliable samples, sharpness-aware, with a reset",
                      &describe_options<SarOptions>},
    NetworkMethodInfo{"cmf", "weighted self-training with a Kalman filter on the parameters",
                      &describe_options<CmfOptions>},
    NetworkMethodInfo{"rotta", "robust statistics, a class-balanced memory and a slow teacher",
                      &describe_options<RottaOptions>},
    NetworkMethodInfo{"stad-vmf+bn", "stad-vmf on the features of the network under bn",
                      &describe_options<StadVmfOptions>},
    NetworkMethodInfo{"stad-gauss+bn", "stad-gauss on the features of the network under bn",
                      &describe_options<StadGaussOptions>},
    NetworkMethodInfo{"oracle", "fine-tuning with labels at every time step, to compare with: what labels would give",
                      &describe_options<OracleOptions>},
};

template <typename List>
std::vector<MethodInfo> infos_of(const List& list) {
  std::vector<MethodInfo> infos;
  infos.reserve(list.size());
  for (const auto& entry : list) infos.push_back({entry.name, entry.summary, entry.describe()});
  return infos;
}

}  // namespace

Result<AdapterPointer> make_adapter(const SourceModel& source, const SourceOptions& options) {
  return build<SourceAdapter>(source, options);
}

Result<AdapterPointer> make_adapter(const SourceModel& source, const T3aOptions& options) {
  STAD_TRY(options.validate());
  return build<T3aAdapter>(source, options);
}

Result<AdapterPointer> make_adapter(const SourceModel& source, const LameOptions& options) {
  STAD_TRY(options.validate());
  return build<LameAdapter>(source, options);
}

Result<AdapterPointer> make_adapter(const SourceModel& source, const StadVmfOptions& options) {
  STAD_TRY(options.validate());
  STAD_TRY(check_prototypes("stad-vmf", source, options.center));
  if (needs_double(options)) return build<StadVmfAdapter<double>>(source, options);
  return build<StadVmfAdapter<float>>(source, options);
}

Result<AdapterPointer> make_adapter(const SourceModel& source, const StadGaussOptions& options) {
  STAD_TRY(options.validate());
  STAD_TRY(check_prototypes("stad-gauss", source, options.center));
  if (source.dimension() > kMostGaussDimensions && !options.force)
    return invalid(
        fmt::format("stad-gauss: {} dimensions with {} classes would take about {:.1f} GB of memory, must be "
                    "at most {} dimensions; force = on accepts it",
                    source.dimension(), source.classes(), gauss_memory(source, options) / 1e9, kMostGaussDimensions));
  return build<StadGaussAdapter>(source, options);
}

Result<AdapterPointer> make_adapter(const SourceModel& source, const NormaliseOptions& options) {
  STAD_TRY(options.validate());
  STAD_TRY(check_normalisation(source, options.kind));
  return build<NormaliseAdapter>(source, options);
}

Result<AdapterPointer> make_adapter(const SourceModel& source, const PriorOptions& options) {
  STAD_TRY(options.validate());
  return build<PriorAdapter>(source, options);
}

Result<AdapterPointer> make_adapter(const SourceModel& source, const StadSafeOptions& options) {
  STAD_TRY(options.validate());
  STAD_TRY(check_guard_size(source));
  STAD_ASSIGN(Candidates candidates, make_candidates(source, options));
  auto adapter = std::make_unique<StadSafeAdapter>(source, options, std::move(candidates));
  if (source.certificate() && options.candidates == "auto")
    STAD_TRY(adapter->contest()->start_from(*source.certificate()));
  return monitored(std::move(adapter));
}

Result<AdapterPointer> make_adapter(std::string_view method, const SourceModel& source, const OptionValues& values) {
  std::string names;
  for (const MethodEntry& candidate : kMethods) {
    if (candidate.name == method) return candidate.make(source, values);
    names.append(names.empty() ? "" : ", ").append(candidate.name);
  }
  for (const NetworkMethodInfo& candidate : kNetworkMethods)
    if (candidate.name == method)
      return invalid(fmt::format("{}: adapts the network itself; requires a model and images, not embeddings", method));
  return invalid(fmt::format("unknown method {}, must be one of {}", method, names));
}

std::vector<MethodInfo> methods() { return infos_of(kMethods); }
std::vector<MethodInfo> network_methods() { return infos_of(kNetworkMethods); }

}  // namespace stad
