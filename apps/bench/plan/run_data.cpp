#include "bench/plan/run_data.hpp"

#include <span>

#include <fmt/format.h>

#include "bench/plan/fingerprint.hpp"

namespace stad::cli::bench {
namespace {

Json identity_of(const SourceModel& source, const FeatureStream& stream) {
  Fingerprint print;
  for (Index row = 0; row < stream.features.rows; ++row) print.add(std::as_bytes(stream.features.row(row)));
  print.add(std::as_bytes(std::span(stream.labels)));
  print.add(std::as_bytes(std::span(stream.time)));
  return {{"stream", fmt::format("{:016x}", print.value())}, {"head", fmt::format("{:016x}", source.fingerprint())}};
}

}  // namespace

Result<std::vector<OptionSetting>> RunData::resolve(const std::string& method, const OptionValues& options) const {
  const auto adapter = make_adapter(method, source_, options);
  if (!adapter) return adapter.error();
  return (*adapter)->options();
}

FeatureData::FeatureData(const SourceModel& source, const FeatureStream& stream)
    : RunData(source, stream, identity_of(source, stream)) {}

}  // namespace stad::cli::bench
