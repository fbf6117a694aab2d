#include <stad/methods.hpp>

#include <array>

#include <fmt/format.h>

#include "adapt/lame_adapter.hpp"
#include "adapt/source_adapter.hpp"
#include "adapt/stad_gauss_adapter.hpp"
#include "adapt/stad_vmf_adapter.hpp"
#include "adapt/t3a_adapter.hpp"
#include "base/try.hpp"
#include "math/unit_rows.hpp"

namespace stad {
namespace {

/// What both variants of STAD ask of the head.
Status check_prototypes(const char* method, const SourceModel& source, Center center) {
  if (center == Center::kSource && !source.has_mean())
    return invalid(fmt::format("{}: center = source needs a feature mean, the source has none", method));
  const auto directed = unit_rows<float>(source.weight()).directed;
  for (Index k = 0; k < source.classes(); ++k)
    if (k >= static_cast<Index>(directed.size()) || directed[k] != k)
      return invalid(fmt::format("{}: source weight row {} is zero, must have a direction", method, k));
  return {};
}

template <typename AdapterType, typename Options>
Result<AdapterPointer> build(const SourceModel& source, const Options& options) {
  return AdapterPointer(std::make_unique<AdapterType>(source, options));
}

template <typename Options>
Result<AdapterPointer> make_from_text(const SourceModel& source, const OptionValues& values) {
  STAD_ASSIGN(const Options options, parse_options<Options>(values));
  return make_adapter(source, options);
}

/// The methods by name, said once.
struct Entry {
  const char* name;
  const char* summary;
  Result<AdapterPointer> (*make)(const SourceModel&, const OptionValues&);
  std::vector<OptionInfo> (*describe)();
};

template <typename Options>
constexpr Entry entry(const char* name, const char* summary) {
  return {name, summary, &make_from_text<Options>, &describe_options<Options>};
}

constexpr std::array kMethods{
    entry<SourceOptions>("source", "the classifier as it was trained: softmax(W h + b)"),
    entry<T3aOptions>("t3a", "class weights from the most certain features seen so far"),
    entry<LameOptions>("lame", "corrects probabilities so that neighbours inside a batch agree; keeps no state"),
    entry<StadVmfOptions>("stad-vmf", "tracks class prototypes on the unit sphere, linear in the dimension"),
    entry<StadGaussOptions>("stad-gauss", "tracks class prototypes by a mixture of Kalman filters, for low dimensions"),
};

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

Result<AdapterPointer> make_adapter(std::string_view method, const SourceModel& source, const OptionValues& values) {
  std::string names;
  for (const Entry& candidate : kMethods) {
    if (candidate.name == method) return candidate.make(source, values);
    names.append(names.empty() ? "" : ", ").append(candidate.name);
  }
  return invalid(fmt::format("unknown method {}, must be one of {}", method, names));
}

std::vector<MethodInfo> methods() {
  std::vector<MethodInfo> infos;
  for (const Entry& entry : kMethods) infos.push_back({entry.name, entry.summary, entry.describe()});
  return infos;
}

}  // namespace stad
