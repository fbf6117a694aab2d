#include <stad/adapter.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <stad/methods.hpp>

#include "adapt/monitored_adapter.hpp"
#include "adapt/rules.hpp"
#include "base/flush_subnormals.hpp"
#include "base/try.hpp"
#include "data/feature_rules.hpp"

namespace stad {
namespace {

Status check_batch(const Batch& batch, Index dimension) {
  const MatrixView features = batch.features;
  if (features.rows < 1) return invalid("batch: has no rows, must have at least 1");
  if (features.cols != dimension)
    return invalid(
        fmt::format("batch: features have {} columns, must have {} as the method takes", features.cols, dimension));
  if (const auto broken = find_broken_value(features))
    return invalid(
        fmt::format("batch: row {} column {} is {}, {}", broken->row, broken->column, broken->value, kValueRule));
  if (batch.time && !is_time(*batch.time)) return invalid(fmt::format("batch: time is {}, {}", *batch.time, kTimeRule));
  if (!batch.ids.empty() && static_cast<Index>(batch.ids.size()) != features.rows)
    return invalid(
        fmt::format("batch: has {} ids for {} rows, must have as many, or none", batch.ids.size(), features.rows));
  return {};
}

const OptionSetting* find_option(const std::vector<OptionSetting>& options, const std::string& name) {
  const auto found = std::find_if(options.begin(), options.end(), [&](const auto& o) { return o.name == name; });
  return found == options.end() ? nullptr : &*found;
}

/// The value of an option in states that were written before the option existed.
std::string default_of(std::string_view method, const std::string& option) {
  for (const auto& list : {methods(), network_methods()})
    for (const auto& info : list)
      for (const auto& candidate : info.options)
        if (info.name == method && candidate.name == option) return candidate.default_value;
  return {};
}

Status check_options(std::string_view method, const std::vector<OptionSetting>& saved,
                     const std::vector<OptionSetting>& own) {
  for (const OptionSetting& option : saved)
    if (!find_option(own, option.name))
      return invalid(
          fmt::format("state: was made with {} = {}, an option that {} of this version does not have: the method has "
                      "changed; start the stream again from its source",
                      option.name, option.value, method));
  for (const OptionSetting& option : own) {
    const OptionSetting* made_with = find_option(saved, option.name);
    const std::string value = made_with ? made_with->value : default_of(method, option.name);
    if (value != option.value)
      return invalid(fmt::format("state: was made with {} = {}, this adapter has {}; they must agree", option.name,
                                 value, option.value));
  }
  return {};
}

}  // namespace

Adapter::Adapter(SourceModel source) : source_(std::move(source)) {}

Adapter::~Adapter() = default;

Result<Predictions> Adapter::adapt(const Batch& batch) {
  Predictions answer;
  STAD_TRY(adapt(batch, answer));
  return answer;
}

Status Adapter::adapt(const Batch& batch, Predictions& answer) {
  STAD_TRY(check_batch(batch, input_dimension()));
  const FlushSubnormals flush;
  return adapt_checked(batch, answer);
}

Result<Predictions> Adapter::predict(const Batch& batch) const {
  Predictions answer;
  STAD_TRY(predict(batch, answer));
  return answer;
}

Status Adapter::predict(const Batch& batch, Predictions& answer) const {
  STAD_TRY(check_batch(batch, input_dimension()));
  const FlushSubnormals flush;
  return predict_checked(batch, answer);
}

Health Adapter::health() const {
  Health health;
  health.guard = guard();
  write_candidates(health);
  write_geometry(*this, health);
  return health;
}

Result<Matrix> Adapter::source_features(MatrixView) const {
  return failed(fmt::format("{}: the features that the source classifies are not available", method()));
}

Result<Observed> Adapter::observe(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) {
  STAD_TRY(check_labels(*this, labels, static_cast<Index>(ids.size()), "ids"));
  const FlushSubnormals flush;
  return observe_checked(ids, labels);
}

Result<Observed> Adapter::observe(const Batch& batch, std::span<const std::int64_t> labels, LabelSampling sampling) {
  STAD_TRY(check_labels(*this, labels, batch.features.rows, "rows"));
  STAD_TRY(check_batch(batch, input_dimension()));
  const FlushSubnormals flush;
  return observe_checked(batch, labels, sampling);
}

Observed Adapter::observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t>) {
  return {.forgotten = static_cast<Index>(ids.size())};
}

Result<Observed> Adapter::observe_checked(const Batch&, std::span<const std::int64_t> labels, LabelSampling) {
  return Observed{.forgotten = static_cast<Index>(labels.size())};
}

AdapterState Adapter::state() const {
  AdapterState state;
  state.method = method();
  state.options = options();
  state.source_fingerprint = source_.fingerprint();
  state.classes = source_.classes();
  state.dimension = source_.dimension();
  state.tensors = save();
  return state;
}

Status Adapter::restore(const AdapterState& state) {
  if (state.method != method())
    return invalid(fmt::format("state: is of method {}, must be of {}", state.method, method()));
  if (state.classes != source_.classes() || state.dimension != source_.dimension())
    return invalid(fmt::format("state: is for {} classes and {} dimensions, must be for {} and {} as the source has",
                               state.classes, state.dimension, source_.classes(), source_.dimension()));
  if (state.source_fingerprint != source_.fingerprint())
    return invalid("state: was made with another source head of the same shape; adapt from the start with this one");
  STAD_TRY(check_options(method(), state.options, options()));
  return load(state);
}

}  // namespace stad
