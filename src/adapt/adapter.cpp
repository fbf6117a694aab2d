#include <stad/adapter.hpp>

#include <fmt/format.h>

#include "base/flush_subnormals.hpp"
#include "base/try.hpp"
#include "data/feature_rules.hpp"

namespace stad {
namespace {

Status check_batch(MatrixView features, const SourceModel& source) {
  if (features.rows < 1) return invalid("batch: has no rows, must have at least 1");
  if (features.cols != source.dimension())
    return invalid(fmt::format("batch: features have {} columns, must have {} as the source weight has", features.cols,
                               source.dimension()));
  if (const auto broken = find_broken_value(features))
    return invalid(
        fmt::format("batch: row {} column {} is {}, {}", broken->row, broken->column, broken->value, kValueRule));
  return {};
}

Status check_options(const std::vector<OptionSetting>& saved, const std::vector<OptionSetting>& own) {
  if (saved.size() != own.size())
    return invalid(fmt::format("state: has {} options, must have {}", saved.size(), own.size()));
  for (std::size_t i = 0; i < own.size(); ++i)
    if (saved[i] != own[i])
      return invalid(fmt::format("state: was made with {} = {}, this adapter has {} = {}; they must agree",
                                 saved[i].name, saved[i].value, own[i].name, own[i].value));
  return {};
}

}  // namespace

Result<Predictions> Adapter::adapt(const Batch& batch) {
  STAD_TRY(check_batch(batch.features, source_));
  const FlushSubnormals flush;
  return adapt_checked(batch.features);
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
  STAD_TRY(check_options(state.options, options()));
  return load(state);
}

}  // namespace stad
